//! One file a tool. Each answers one contract, for [`HelpDesk`](crate::HelpDesk).

mod help_center_lookup;
mod list_boards;
mod order_status;
mod rename_board;
mod ticket_status;
