//! One file a tool. All but the last answer a contract in `schemas/`, for [`HelpDesk`](crate::HelpDesk).

mod export_orders;
mod help_center_lookup;
mod leave_note;
mod list_boards;
mod order_status;
mod rename_board;
mod ticket_status;

pub mod office_hours;
