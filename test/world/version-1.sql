CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE timers (
  id INTEGER PRIMARY KEY,
  lane INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  payload TEXT
) STRICT;
CREATE INDEX timers_due ON timers (lane, due_at);
CREATE TABLE replays (
  seq INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  request TEXT NOT NULL,
  status INTEGER NOT NULL,
  answer TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE messages (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  direction TEXT NOT NULL,
  channel TEXT NOT NULL,
  channel_id TEXT,
  agent_id TEXT,
  contact_id TEXT,
  campaign_id TEXT,
  recipient TEXT NOT NULL,
  message_type TEXT NOT NULL,
  traffic_type TEXT,
  content_type TEXT NOT NULL,
  content TEXT NOT NULL,
  template_id TEXT,
  ttl TEXT,
  status TEXT NOT NULL,
  failure_reason TEXT,
  error_message TEXT,
  classification TEXT,
  hold INTEGER NOT NULL,
  cost INTEGER,
  plan TEXT,
  timer_id INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  dispatch_at INTEGER,
  deliver_at INTEGER,
  read_at INTEGER,
  fail_at INTEGER,
  expire_at INTEGER,
  revoke_at INTEGER,
  bounce_at INTEGER,
  open_at INTEGER,
  click_at INTEGER,
  complain_at INTEGER
) STRICT;
CREATE INDEX messages_contact ON messages (contact_id, seq);
CREATE INDEX messages_campaign ON messages (campaign_id, seq) WHERE campaign_id IS NOT NULL;
CREATE TABLE balance (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  free INTEGER NOT NULL CHECK (free >= 0),
  reserved INTEGER NOT NULL CHECK (reserved >= 0)
) STRICT;
CREATE TABLE ledger (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  amount INTEGER NOT NULL,
  free INTEGER NOT NULL,
  reserved INTEGER NOT NULL,
  message_id TEXT
) STRICT;
CREATE TABLE usage (
  month TEXT NOT NULL,
  channel TEXT NOT NULL,
  classification TEXT NOT NULL,
  price INTEGER NOT NULL,
  sent INTEGER NOT NULL DEFAULT 0,
  charged INTEGER NOT NULL DEFAULT 0,
  released INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (month, channel, classification, price)
) STRICT, WITHOUT ROWID;
CREATE TABLE invoices (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  month TEXT NOT NULL UNIQUE,
  vat_percent REAL,
  issued_at INTEGER
) STRICT;
CREATE TABLE subscribers (
  agent_id TEXT NOT NULL,
  contact_id TEXT NOT NULL,
  month TEXT NOT NULL,
  message_id TEXT NOT NULL UNIQUE,
  PRIMARY KEY (agent_id, contact_id, month)
) STRICT, WITHOUT ROWID;
CREATE TABLE carriers (
  position INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  profile TEXT NOT NULL
) STRICT;
CREATE TABLE mail (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  profile TEXT NOT NULL
) STRICT;
CREATE TABLE magic_recipients (
  position INTEGER PRIMARY KEY,
  address TEXT NOT NULL UNIQUE,
  recipient TEXT NOT NULL
) STRICT;
CREATE TABLE outage_refusals (
  campaign_id TEXT NOT NULL,
  carrier TEXT NOT NULL,
  in_a_row INTEGER NOT NULL,
  PRIMARY KEY (campaign_id, carrier)
) STRICT, WITHOUT ROWID;
CREATE TABLE agents (
  agent_id TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  region TEXT NOT NULL,
  billing_category TEXT NOT NULL,
  use_case TEXT NOT NULL,
  newsletter_enabled INTEGER NOT NULL,
  profile TEXT NOT NULL,
  launches TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  submitted_at INTEGER,
  approved_at INTEGER,
  rejected_at INTEGER,
  rejection_reason TEXT,
  timer_id INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE review (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  terms TEXT NOT NULL
) STRICT;
CREATE TABLE channels (
  channel_id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  active INTEGER NOT NULL,
  domain_verified INTEGER NOT NULL,
  message_types TEXT NOT NULL,
  agent_id TEXT
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX channels_agent ON channels (agent_id) WHERE agent_id IS NOT NULL;
CREATE TABLE templates (
  template_id TEXT NOT NULL,
  version TEXT NOT NULL,
  position INTEGER NOT NULL,
  channel_type TEXT NOT NULL,
  name TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (template_id, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE previews (
  name TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TABLE contacts (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  external_id TEXT UNIQUE,
  email TEXT UNIQUE COLLATE NOCASE,
  phone TEXT UNIQUE,
  first_name TEXT,
  last_name TEXT,
  status TEXT NOT NULL,
  source TEXT NOT NULL,
  tags TEXT NOT NULL,
  custom_fields TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE TABLE consent_records (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  contact_id TEXT NOT NULL REFERENCES contacts (id) ON DELETE CASCADE,
  channel_type TEXT NOT NULL,
  message_type TEXT NOT NULL,
  status TEXT NOT NULL,
  source TEXT NOT NULL,
  proof_text TEXT,
  enforced_doi INTEGER NOT NULL,
  doi_status TEXT,
  doi_channel TEXT,
  doi_token TEXT,
  granted_at INTEGER,
  revoked_at INTEGER,
  created_at INTEGER NOT NULL,
  ip_hash TEXT,
  UNIQUE (contact_id, channel_type, message_type)
) STRICT;
CREATE UNIQUE INDEX consent_records_token ON consent_records (doi_token) WHERE doi_token IS NOT NULL;
CREATE TABLE sessions (
  agent_id TEXT NOT NULL,
  phone TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  timer_id INTEGER NOT NULL,
  fee_message_id TEXT,
  PRIMARY KEY (agent_id, phone)
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_fee ON sessions (fee_message_id) WHERE fee_message_id IS NOT NULL;
CREATE TABLE campaigns (
  campaign_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  trigger TEXT NOT NULL,
  status TEXT NOT NULL,
  definition TEXT NOT NULL,
  run INTEGER,
  timer_id INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE campaign_runs (
  seq INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL UNIQUE,
  campaign_id TEXT NOT NULL,
  total INTEGER NOT NULL,
  pending INTEGER NOT NULL,
  in_progress INTEGER NOT NULL DEFAULT 0,
  completed INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  ineligible INTEGER NOT NULL DEFAULT 0,
  enrolled INTEGER NOT NULL DEFAULT 0,
  is_enrolled INTEGER NOT NULL DEFAULT 0,
  timer_id INTEGER,
  started_at INTEGER NOT NULL,
  completed_at INTEGER
) STRICT;
CREATE TABLE campaign_executions (
  seq INTEGER PRIMARY KEY,
  run INTEGER NOT NULL,
  contact_id TEXT NOT NULL,
  status TEXT NOT NULL,
  node TEXT,
  message_id TEXT,
  queued INTEGER NOT NULL,
  UNIQUE (run, contact_id)
) STRICT;
CREATE INDEX campaign_executions_queued ON campaign_executions (run, seq) WHERE queued = 1;
CREATE TABLE campaign_sends (
  execution INTEGER NOT NULL,
  node TEXT NOT NULL,
  message_id TEXT NOT NULL,
  PRIMARY KEY (execution, node)
) STRICT, WITHOUT ROWID;
CREATE TABLE inbox (
  seq INTEGER PRIMARY KEY,
  address TEXT NOT NULL COLLATE NOCASE,
  at INTEGER NOT NULL,
  channel_type TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT,
  text TEXT NOT NULL,
  link TEXT
) STRICT;
CREATE INDEX inbox_address ON inbox (address, seq);
CREATE TABLE test_registration (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  status TEXT NOT NULL,
  phone TEXT NOT NULL,
  code TEXT NOT NULL,
  code_expires_at INTEGER NOT NULL,
  tries_left INTEGER NOT NULL,
  verified_at INTEGER
) STRICT;
CREATE TABLE test_messages (
  phone TEXT PRIMARY KEY,
  used INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  event TEXT NOT NULL,
  at INTEGER NOT NULL,
  subject TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE TABLE event_cursors (name TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE webhooks (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  secret TEXT NOT NULL,
  description TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE TABLE deliveries (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  event_seq INTEGER NOT NULL,
  endpoint_id TEXT NOT NULL,
  subject TEXT NOT NULL,
  status TEXT NOT NULL,
  timer_id INTEGER,
  next_at INTEGER,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE INDEX deliveries_open ON deliveries (endpoint_id, subject, seq) WHERE status IN ('waiting', 'pending');
CREATE TABLE attempts (
  delivery_seq INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  status_code INTEGER,
  duration_ms INTEGER NOT NULL,
  error TEXT,
  response TEXT,
  PRIMARY KEY (delivery_seq, number)
) STRICT, WITHOUT ROWID;
INSERT INTO meta (key, value) VALUES ('billing', '{"balance":10,"topup_url":"https://dashboard.example.com/billing/topup","prices":{"rcs":{"basic_message":0.05,"single_message":0.08,"conversation":0.12,"mau":0.2},"email":{"basic_message":0.005}},"tiers":[{"name":"tier_1","from":0,"discount_percent":0},{"name":"tier_2","from":25000,"discount_percent":10},{"name":"tier_3","from":100000,"discount_percent":20}],"topup":{"min":10,"max_balance":5000},"payment":"accepted","vat_percent":19}');
INSERT INTO meta (key, value) VALUES ('clock', '{"mode":"frozen","at":1767225630000}');
INSERT INTO meta (key, value) VALUES ('seed', '"version-1"');
INSERT INTO meta (key, value) VALUES ('serial ', '1');
INSERT INTO meta (key, value) VALUES ('serial c_', '1');
INSERT INTO meta (key, value) VALUES ('serial ch_', '1');
INSERT INTO meta (key, value) VALUES ('serial cr_', '1');
INSERT INTO meta (key, value) VALUES ('serial dlv_', '5');
INSERT INTO meta (key, value) VALUES ('serial evt_', '7');
INSERT INTO meta (key, value) VALUES ('serial inv_', '1');
INSERT INTO meta (key, value) VALUES ('serial msg_', '3');
INSERT INTO meta (key, value) VALUES ('serial req_', '5');
INSERT INTO timers (id, lane, due_at, kind, subject, payload) VALUES (5, 1, 1767225660000, 'webhook.attempt', 'dlv_d77fcc0c-3dfc-45a4-83bf-a7d9dfc4eb99', NULL);
INSERT INTO timers (id, lane, due_at, kind, subject, payload) VALUES (6, 1, 1767225660000, 'webhook.attempt', 'dlv_cff7993b-bea1-4c0a-b13d-d7cf453e8c2b', NULL);
INSERT INTO timers (id, lane, due_at, kind, subject, payload) VALUES (9, 0, 1769904000000, 'billing.month', 'inv_5cefad40-a21f-4f32-8954-5891b5d6b5a8', NULL);
INSERT INTO timers (id, lane, due_at, kind, subject, payload) VALUES (10, 0, 1767225630327, 'message.dispatch', 'msg_34e8a7bd-896b-4e02-974d-3073131cf5cf', NULL);
INSERT INTO timers (id, lane, due_at, kind, subject, payload) VALUES (11, 1, 1767225630000, 'webhook.attempt', 'dlv_0798783d-f4c8-4872-89aa-27e946abdd41', NULL);
INSERT INTO messages (seq, id, direction, channel, channel_id, agent_id, contact_id, campaign_id, recipient, message_type, traffic_type, content_type, content, template_id, ttl, status, failure_reason, error_message, classification, hold, cost, plan, timer_id, created_at, expires_at, dispatch_at, deliver_at, read_at, fail_at, expire_at, revoke_at, bounce_at, open_at, click_at, complain_at) VALUES (1, 'msg_d6c1b6ea-917b-4ba4-b3c3-35dd5b3a926c', 'OUTBOUND', 'RCS', 'ch_6b2379eb-37a0-4559-a80f-57f3074a079c', 'ag_live_00000000-0000-4000-8000-000000000001', 'c_00000000-0000-4000-8000-000000000001', NULL, '+491713920050', 'MESSAGE', 'TRANSACTION', 'TEXT', '{"text":"Sent by version 1"}', NULL, NULL, 'read', NULL, NULL, 'basic_message', 500, 500, '{"outcome":"delivered","afterMs":782,"steps":[{"does":"read","afterMs":1827}]}', NULL, 1767225600000, 1769817600000, 1767225600390, 1767225601172, 1767225602999, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO messages (seq, id, direction, channel, channel_id, agent_id, contact_id, campaign_id, recipient, message_type, traffic_type, content_type, content, template_id, ttl, status, failure_reason, error_message, classification, hold, cost, plan, timer_id, created_at, expires_at, dispatch_at, deliver_at, read_at, fail_at, expire_at, revoke_at, bounce_at, open_at, click_at, complain_at) VALUES (2, 'msg_91a95516-a192-429a-bc84-6d429b92cf12', 'OUTBOUND', 'EMAIL', 'ch_00000000-0000-4000-8000-000000000001', NULL, 'c_4d74ba43-7221-4e62-a97e-a449fc81f253', NULL, 'ada@example.com', 'MESSAGE', NULL, 'TEXT', '{"text":"Mail","subject":"Hi"}', NULL, NULL, 'delivered', NULL, NULL, 'basic_message', 50, 50, '{"outcome":"delivered","afterMs":300,"steps":[]}', NULL, 1767225600000, 1769817600000, 1767225600100, 1767225600400, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO messages (seq, id, direction, channel, channel_id, agent_id, contact_id, campaign_id, recipient, message_type, traffic_type, content_type, content, template_id, ttl, status, failure_reason, error_message, classification, hold, cost, plan, timer_id, created_at, expires_at, dispatch_at, deliver_at, read_at, fail_at, expire_at, revoke_at, bounce_at, open_at, click_at, complain_at) VALUES (3, 'msg_34e8a7bd-896b-4e02-974d-3073131cf5cf', 'OUTBOUND', 'RCS', 'ch_6b2379eb-37a0-4559-a80f-57f3074a079c', 'ag_live_00000000-0000-4000-8000-000000000001', 'c_00000000-0000-4000-8000-000000000001', NULL, '+491713920050', 'MESSAGE', 'TRANSACTION', 'TEXT', '{"text":"Still queued"}', NULL, NULL, 'queued', NULL, NULL, 'basic_message', 500, NULL, NULL, 10, 1767225630000, 1769817630000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO balance (id, free, reserved) VALUES (1, 98950, 500);
INSERT INTO ledger (seq, at, type, amount, free, reserved, message_id) VALUES (1, 1767225600000, 'opening', 100000, 100000, 0, NULL);
INSERT INTO ledger (seq, at, type, amount, free, reserved, message_id) VALUES (2, 1767225600000, 'hold', 500, 99500, 500, 'msg_d6c1b6ea-917b-4ba4-b3c3-35dd5b3a926c');
INSERT INTO ledger (seq, at, type, amount, free, reserved, message_id) VALUES (3, 1767225600000, 'hold', 50, 99450, 550, 'msg_91a95516-a192-429a-bc84-6d429b92cf12');
INSERT INTO ledger (seq, at, type, amount, free, reserved, message_id) VALUES (4, 1767225600400, 'charge', 50, 99450, 500, 'msg_91a95516-a192-429a-bc84-6d429b92cf12');
INSERT INTO ledger (seq, at, type, amount, free, reserved, message_id) VALUES (5, 1767225601172, 'charge', 500, 99450, 0, 'msg_d6c1b6ea-917b-4ba4-b3c3-35dd5b3a926c');
INSERT INTO ledger (seq, at, type, amount, free, reserved, message_id) VALUES (6, 1767225630000, 'hold', 500, 98950, 500, 'msg_34e8a7bd-896b-4e02-974d-3073131cf5cf');
INSERT INTO usage (month, channel, classification, price, sent, charged, released) VALUES ('2026-01', 'EMAIL', 'basic_message', 50, 1, 1, 0);
INSERT INTO usage (month, channel, classification, price, sent, charged, released) VALUES ('2026-01', 'RCS', 'basic_message', 500, 2, 1, 0);
INSERT INTO invoices (seq, id, month, vat_percent, issued_at) VALUES (1, 'inv_5cefad40-a21f-4f32-8954-5891b5d6b5a8', '2026-01', NULL, NULL);
INSERT INTO carriers (position, name, profile) VALUES (1, 'nordfunk', '{"name":"nordfunk","weight":1,"dispatch_delay":{"lowMs":100,"highMs":400},"delivery_delay":{"lowMs":300,"highMs":1200},"failure_delay":{"lowMs":300,"highMs":1200},"read_delay":{"lowMs":600,"highMs":2000},"read":1,"failed":{},"never_delivered":0,"outage":false}');
INSERT INTO mail (id, profile) VALUES (1, '{"dispatch_delay":{"lowMs":100,"highMs":100},"delivery_delay":{"lowMs":300,"highMs":300},"open_delay":{"lowMs":1000,"highMs":1000},"click_delay":{"lowMs":1000,"highMs":1000},"bounced":0,"opened":0,"clicked":0,"complained":0}');
INSERT INTO agents (agent_id, status, region, billing_category, use_case, newsletter_enabled, profile, launches, created_at, submitted_at, approved_at, rejected_at, rejection_reason, timer_id) VALUES ('ag_live_00000000-0000-4000-8000-000000000001', 'APPROVED', 'EUROPE', 'CONVERSATIONAL', 'MULTI_USE', 1, '{"display_name":"Old"}', '[{"carrier":"nordfunk","status":"LAUNCHED","launched_at":1767225600000,"rejection_reason":null}]', 1767225600000, 1767225600000, 1767225600000, NULL, NULL, NULL);
INSERT INTO review (id, terms) VALUES (1, '{"outcome":"approved","reason":"The brand could not be verified.","delay":{"lowMs":2000,"highMs":2000},"launch_gap":{"lowMs":1000,"highMs":1000},"launch":{},"profile":"optional"}');
INSERT INTO channels (channel_id, type, name, active, domain_verified, message_types, agent_id) VALUES ('ch_00000000-0000-4000-8000-000000000001', 'EMAIL', 'Mail', 1, 1, '["MESSAGE","NEWSLETTER"]', NULL);
INSERT INTO channels (channel_id, type, name, active, domain_verified, message_types, agent_id) VALUES ('ch_6b2379eb-37a0-4559-a80f-57f3074a079c', 'RCS', 'Old', 1, 1, '["MESSAGE","NEWSLETTER"]', 'ag_live_00000000-0000-4000-8000-000000000001');
INSERT INTO contacts (seq, id, external_id, email, phone, first_name, last_name, status, source, tags, custom_fields, created_at, updated_at) VALUES (1, 'c_00000000-0000-4000-8000-000000000001', NULL, NULL, '+491713920050', NULL, NULL, 'ACTIVE', 'API', '[]', '{}', 1767225600000, 1767225600000);
INSERT INTO contacts (seq, id, external_id, email, phone, first_name, last_name, status, source, tags, custom_fields, created_at, updated_at) VALUES (2, 'c_4d74ba43-7221-4e62-a97e-a449fc81f253', NULL, 'ada@example.com', NULL, NULL, NULL, 'ACTIVE', 'API', '[]', '{}', 1767225600000, 1767225600000);
INSERT INTO consent_records (seq, id, contact_id, channel_type, message_type, status, source, proof_text, enforced_doi, doi_status, doi_channel, doi_token, granted_at, revoked_at, created_at, ip_hash) VALUES (1, 'cr_10320b4d-3046-4ffc-84cd-1b7a21f6cf49', 'c_00000000-0000-4000-8000-000000000001', 'RCS', 'MESSAGE', 'GRANTED', 'old', NULL, 0, NULL, NULL, NULL, 1767225600000, NULL, 1767225600000, NULL);
INSERT INTO events (seq, id, event, at, subject, body) VALUES (1, 'evt_9b296a6e-a502-4e0a-aa23-27c6c07ddfa8', 'message.queued', 1767225600000, 'msg_d6c1b6ea-917b-4ba4-b3c3-35dd5b3a926c', '{"id":"evt_9b296a6e-a502-4e0a-aa23-27c6c07ddfa8","event":"message.queued","timestamp":"2026-01-01T00:00:00.000Z","data":{"message_id":"msg_d6c1b6ea-917b-4ba4-b3c3-35dd5b3a926c","agent_id":"ag_live_00000000-0000-4000-8000-000000000001","to":"+491713920050","status":"queued","queued_at":"2026-01-01T00:00:00.000Z"}}');
INSERT INTO events (seq, id, event, at, subject, body) VALUES (2, 'evt_6c900c0c-8f95-4b67-b367-c6d6c17f38ac', 'contact.created', 1767225600000, 'c_4d74ba43-7221-4e62-a97e-a449fc81f253', '{"id":"evt_6c900c0c-8f95-4b67-b367-c6d6c17f38ac","event":"contact.created","timestamp":"2026-01-01T00:00:00.000Z","data":{"contact_id":"c_4d74ba43-7221-4e62-a97e-a449fc81f253","external_id":null,"email":"ada@example.com","phone":null,"status":"ACTIVE","source":"API","created_at":"2026-01-01T00:00:00.000Z"}}');
INSERT INTO events (seq, id, event, at, subject, body) VALUES (3, 'evt_082ed854-19a2-4bc6-bcc7-cee5dc979442', 'message.queued', 1767225600000, 'msg_91a95516-a192-429a-bc84-6d429b92cf12', '{"id":"evt_082ed854-19a2-4bc6-bcc7-cee5dc979442","event":"message.queued","timestamp":"2026-01-01T00:00:00.000Z","data":{"message_id":"msg_91a95516-a192-429a-bc84-6d429b92cf12","channel_id":"ch_00000000-0000-4000-8000-000000000001","to":"ada@example.com","status":"queued","queued_at":"2026-01-01T00:00:00.000Z"}}');
INSERT INTO events (seq, id, event, at, subject, body) VALUES (4, 'evt_ee0b65f7-62af-49cc-b250-ccdb020a7e1b', 'email.delivered', 1767225600400, 'msg_91a95516-a192-429a-bc84-6d429b92cf12', '{"id":"evt_ee0b65f7-62af-49cc-b250-ccdb020a7e1b","event":"email.delivered","timestamp":"2026-01-01T00:00:00.400Z","data":{"message_id":"msg_91a95516-a192-429a-bc84-6d429b92cf12","channel_id":"ch_00000000-0000-4000-8000-000000000001","to":"ada@example.com","subject":"Hi","delivered_at":"2026-01-01T00:00:00.400Z"}}');
INSERT INTO events (seq, id, event, at, subject, body) VALUES (5, 'evt_bb6bba77-37cf-490a-a6df-5ee1cba88c07', 'message.delivered', 1767225601172, 'msg_d6c1b6ea-917b-4ba4-b3c3-35dd5b3a926c', '{"id":"evt_bb6bba77-37cf-490a-a6df-5ee1cba88c07","event":"message.delivered","timestamp":"2026-01-01T00:00:01.172Z","data":{"message_id":"msg_d6c1b6ea-917b-4ba4-b3c3-35dd5b3a926c","agent_id":"ag_live_00000000-0000-4000-8000-000000000001","to":"+491713920050","status":"delivered","delivered_at":"2026-01-01T00:00:01.172Z"}}');
INSERT INTO events (seq, id, event, at, subject, body) VALUES (6, 'evt_2261d7bc-5e23-4981-a9ec-98f64c52eea5', 'message.read', 1767225602999, 'msg_d6c1b6ea-917b-4ba4-b3c3-35dd5b3a926c', '{"id":"evt_2261d7bc-5e23-4981-a9ec-98f64c52eea5","event":"message.read","timestamp":"2026-01-01T00:00:02.999Z","data":{"message_id":"msg_d6c1b6ea-917b-4ba4-b3c3-35dd5b3a926c","agent_id":"ag_live_00000000-0000-4000-8000-000000000001","to":"+491713920050","status":"read","read_at":"2026-01-01T00:00:02.999Z"}}');
INSERT INTO events (seq, id, event, at, subject, body) VALUES (7, 'evt_d16cdcbc-6112-4306-890b-27774077bcd6', 'message.queued', 1767225630000, 'msg_34e8a7bd-896b-4e02-974d-3073131cf5cf', '{"id":"evt_d16cdcbc-6112-4306-890b-27774077bcd6","event":"message.queued","timestamp":"2026-01-01T00:00:30.000Z","data":{"message_id":"msg_34e8a7bd-896b-4e02-974d-3073131cf5cf","agent_id":"ag_live_00000000-0000-4000-8000-000000000001","to":"+491713920050","status":"queued","queued_at":"2026-01-01T00:00:30.000Z"}}');
INSERT INTO webhooks (seq, id, url, events, secret, description, created_at, updated_at) VALUES (1, '32b8507d-fc8d-4a37-a3ad-21e009e40c1c', 'http://localhost:9/hook', '["message.*"]', 'whsec_of_version_1_and_long_enough', NULL, 1767225600000, 1767225600000);
INSERT INTO deliveries (seq, id, event_seq, endpoint_id, subject, status, timer_id, next_at, created_at, ended_at) VALUES (1, 'dlv_d77fcc0c-3dfc-45a4-83bf-a7d9dfc4eb99', 1, '32b8507d-fc8d-4a37-a3ad-21e009e40c1c', 'msg_d6c1b6ea-917b-4ba4-b3c3-35dd5b3a926c', 'pending', 5, 1767225660000, 1767225600000, NULL);
INSERT INTO deliveries (seq, id, event_seq, endpoint_id, subject, status, timer_id, next_at, created_at, ended_at) VALUES (2, 'dlv_cff7993b-bea1-4c0a-b13d-d7cf453e8c2b', 3, '32b8507d-fc8d-4a37-a3ad-21e009e40c1c', 'msg_91a95516-a192-429a-bc84-6d429b92cf12', 'pending', 6, 1767225660000, 1767225600000, NULL);
INSERT INTO deliveries (seq, id, event_seq, endpoint_id, subject, status, timer_id, next_at, created_at, ended_at) VALUES (3, 'dlv_92278d40-bb34-494e-81b7-72c8d1bc6952', 5, '32b8507d-fc8d-4a37-a3ad-21e009e40c1c', 'msg_d6c1b6ea-917b-4ba4-b3c3-35dd5b3a926c', 'waiting', NULL, NULL, 1767225601172, NULL);
INSERT INTO deliveries (seq, id, event_seq, endpoint_id, subject, status, timer_id, next_at, created_at, ended_at) VALUES (4, 'dlv_fe04d94d-f2dd-467f-b7bd-9f1a0b2ab752', 6, '32b8507d-fc8d-4a37-a3ad-21e009e40c1c', 'msg_d6c1b6ea-917b-4ba4-b3c3-35dd5b3a926c', 'waiting', NULL, NULL, 1767225602999, NULL);
INSERT INTO deliveries (seq, id, event_seq, endpoint_id, subject, status, timer_id, next_at, created_at, ended_at) VALUES (5, 'dlv_0798783d-f4c8-4872-89aa-27e946abdd41', 7, '32b8507d-fc8d-4a37-a3ad-21e009e40c1c', 'msg_34e8a7bd-896b-4e02-974d-3073131cf5cf', 'pending', 11, 1767225630000, 1767225630000, NULL);
INSERT INTO attempts (delivery_seq, number, at, status_code, duration_ms, error, response) VALUES (1, 1, 1767225600000, 500, 10, 'The receiver answered 500.', '');
INSERT INTO attempts (delivery_seq, number, at, status_code, duration_ms, error, response) VALUES (2, 1, 1767225600000, 500, 5, 'The receiver answered 500.', '');
PRAGMA user_version = 1;
