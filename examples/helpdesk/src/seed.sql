-- The whole database: tables, then a small help desk to try the tools on.
CREATE TABLE tickets (
    id     TEXT PRIMARY KEY,
    status TEXT NOT NULL
) STRICT;

CREATE TABLE members (
    account_id TEXT NOT NULL,
    actor_id   TEXT NOT NULL,
    PRIMARY KEY (account_id, actor_id)
) STRICT;

CREATE TABLE orders (
    account_id      TEXT NOT NULL,
    number          TEXT NOT NULL,
    status          TEXT NOT NULL,
    placed_on       TEXT NOT NULL,
    tracking_number TEXT,
    PRIMARY KEY (account_id, number)
) STRICT;

CREATE TABLE articles (
    topic TEXT    NOT NULL,
    title TEXT    NOT NULL,
    url   TEXT    NOT NULL,
    reads INTEGER NOT NULL
) STRICT;

CREATE TABLE boards (
    id    TEXT PRIMARY KEY,
    title TEXT NOT NULL
) STRICT;

CREATE TABLE offices (
    name  TEXT PRIMARY KEY,
    hours TEXT NOT NULL
) STRICT;

CREATE TABLE notes (
    filed INTEGER PRIMARY KEY,
    text  TEXT NOT NULL
) STRICT;

INSERT INTO tickets VALUES
    ('SUP-479', 'closed'),
    ('SUP-480', 'open'),
    ('SUP-481', 'waiting_on_customer');

INSERT INTO members VALUES
    ('acme', 'user-1'),
    ('globex', 'user-2');

INSERT INTO orders VALUES
    ('acme', '481', 'shipped', '2026-11-24', 'PX-2209'),
    ('acme', '482', 'processing', '2026-11-29', NULL),
    ('globex', '611', 'delivered', '2026-10-02', 'PX-1870');

INSERT INTO articles VALUES
    ('billing', 'Read your invoice', 'https://help.example/billing/invoice', 320),
    ('billing', 'Change your payment method', 'https://help.example/billing/payment-method', 910),
    ('shipping', 'Follow a parcel', 'https://help.example/shipping/follow', 1240),
    ('shipping', 'Where we ship to', 'https://help.example/shipping/countries', 415),
    ('returns', 'Send something back', 'https://help.example/returns/start', 1530),
    ('returns', 'When a refund arrives', 'https://help.example/returns/refund', 1105),
    ('returns', 'Exchange for another size', 'https://help.example/returns/exchange', 620),
    ('returns', 'Return a gift', 'https://help.example/returns/gift', 88),
    ('account', 'Reset your password', 'https://help.example/account/password', 2044);

INSERT INTO boards VALUES
    ('escalations', 'Escalations'),
    ('triage', 'Triage');

INSERT INTO offices VALUES
    ('berlin', 'Monday to Friday, 9:00 to 18:00 CET'),
    ('boston', 'Monday to Friday, 8:30 to 17:30 EST');
