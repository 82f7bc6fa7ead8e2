CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES('balance watch','{}');
INSERT INTO meta VALUES('billing','{"balance":1000,"topup_url":"https://dashboard.example.com/billing/topup","prices":{"rcs":{"basic_message":0.05,"single_message":0.08,"conversation":0.12,"mau":0.2},"email":{"basic_message":0.005}},"tiers":[{"name":"tier_1","from":0,"discount_percent":0},{"name":"tier_2","from":25000,"discount_percent":10},{"name":"tier_3","from":100000,"discount_percent":20}],"topup":{"min":10,"max_balance":5000},"payment":"accepted","vat_percent":19}');
INSERT INTO meta VALUES('clock','{"mode":"frozen","at":1767225663000}');
INSERT INTO meta VALUES('seed','"version-3"');
INSERT INTO meta VALUES('serial c_','2');
INSERT INTO meta VALUES('serial ch_','1');
INSERT INTO meta VALUES('serial cr_','1');
INSERT INTO meta VALUES('serial evt_','22');
INSERT INTO meta VALUES('serial inv_','1');
INSERT INTO meta VALUES('serial msg_','7');
INSERT INTO meta VALUES('serial req_','22');
INSERT INTO meta VALUES('settled','{"namespace":"default","at":1767225663000}');
CREATE TABLE timers (
  id INTEGER PRIMARY KEY,
  lane INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  payload TEXT
) STRICT;
INSERT INTO timers VALUES(4,0,1769904000000,'billing.month','inv_443a96d0-5fca-4f15-b3a7-90af0c6918de',NULL);
INSERT INTO timers VALUES(10,0,1767225663315,'message.dispatch','msg_0d801929-cc52-4a4a-b50e-a3b23706b6ea',NULL);
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
  complain_at INTEGER,
  unsubscribe_at INTEGER
) STRICT;
INSERT INTO messages VALUES(1,'msg_0d801923-941d-4d76-9997-1dabc429aea6','OUTBOUND','RCS','ch_6fb2009f-1d22-4a94-9992-7871a02d1448','ag_live_00000000-0000-4000-8000-000000000001','c_00000000-0000-4000-8000-000000000001',NULL,'+491713920050','MESSAGE','TRANSACTION','TEXT','{"text":"Read"}',NULL,NULL,'read',NULL,NULL,'basic_message',500,500,'{"outcome":"delivered","afterMs":513,"steps":[{"does":"read","afterMs":2273}],"network":1}',NULL,1767225600000,1769817600000,1767225600311,1767225600824,1767225603097,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(2,'msg_0d801924-bf51-4669-a407-4245caf0b9c8','OUTBOUND','RCS','ch_6fb2009f-1d22-4a94-9992-7871a02d1448','ag_live_00000000-0000-4000-8000-000000000001','c_00000000-0000-4000-8000-000000000001',NULL,'+491713920050','MESSAGE','TRANSACTION','TEXT','{"text":"Failed"}',NULL,NULL,'failed','REJECTED_SPAM','The carrier rejected the message as spam or as traffic the agent is not approved for.','basic_message',500,0,NULL,NULL,1767225660000,1769817660000,NULL,NULL,NULL,1767225660000,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(3,'msg_0d801925-b9ca-4015-b84e-5d5f52af911b','OUTBOUND','RCS','ch_6fb2009f-1d22-4a94-9992-7871a02d1448','ag_live_00000000-0000-4000-8000-000000000001','c_00000000-0000-4000-8000-000000000001',NULL,'+491713920050','MESSAGE','TRANSACTION','TEXT','{"text":"Expired"}',NULL,'60s','expired',NULL,NULL,'basic_message',500,0,NULL,NULL,1767225660000,1767225720000,NULL,NULL,NULL,NULL,1767225660000,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(4,'msg_0d801926-203f-442a-859c-3907c5913be3','OUTBOUND','RCS','ch_6fb2009f-1d22-4a94-9992-7871a02d1448','ag_live_00000000-0000-4000-8000-000000000001','c_00000000-0000-4000-8000-000000000001',NULL,'+491713920050','MESSAGE','TRANSACTION','TEXT','{"text":"Revoked"}',NULL,NULL,'revoked',NULL,NULL,'basic_message',500,0,NULL,NULL,1767225660000,1769817660000,NULL,NULL,NULL,NULL,NULL,1767225660000,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(5,'msg_0d801927-55fa-49bd-8f7f-fe1d42bae1c3','OUTBOUND','EMAIL','ch_00000000-0000-4000-8000-000000000001',NULL,'c_1e2190ab-7160-4ab1-8c92-8c262f841889',NULL,'ada@example.com','MESSAGE',NULL,'TEXT','{"text":"See https://example.com","subject":"Hi"}',NULL,NULL,'clicked',NULL,NULL,'basic_message',50,50,'{"outcome":"delivered","afterMs":374,"steps":[],"network":2,"layers":[{"from":"by hand","sets":{"outcome":"delivered"}}]}',NULL,1767225661000,1769817661000,1767225661000,1767225661000,NULL,NULL,NULL,NULL,NULL,1767225661000,1767225662000,1767225663000,1767225663000);
INSERT INTO messages VALUES(6,'msg_0d801928-3274-4e22-a19c-b2f5efaa273e','OUTBOUND','EMAIL','ch_00000000-0000-4000-8000-000000000001',NULL,'c_1e2190ac-4dd0-4097-ae9b-09a754d24a19',NULL,'bob@example.com','MESSAGE',NULL,'TEXT','{"text":"Bounced","subject":"Hi"}',NULL,NULL,'bounced',NULL,NULL,'basic_message',50,0,'{"outcome":"bounced","afterMs":1198,"bounceType":"hard","network":2,"layers":[{"from":"by hand","sets":{"outcome":"bounced","bounce_type":"hard"}}]}',NULL,1767225663000,1769817663000,1767225663000,NULL,NULL,NULL,NULL,NULL,1767225663000,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(7,'msg_0d801929-cc52-4a4a-b50e-a3b23706b6ea','OUTBOUND','RCS','ch_6fb2009f-1d22-4a94-9992-7871a02d1448','ag_live_00000000-0000-4000-8000-000000000001','c_00000000-0000-4000-8000-000000000001',NULL,'+491713920050','MESSAGE','TRANSACTION','TEXT','{"text":"Still queued"}',NULL,NULL,'queued',NULL,NULL,'basic_message',500,NULL,NULL,10,1767225663000,1769817663000,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE waiting_messages (
  seq INTEGER PRIMARY KEY,
  waits_for TEXT NOT NULL,
  message_id TEXT NOT NULL
) STRICT;
CREATE TABLE ledger (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  amount INTEGER NOT NULL,
  free INTEGER NOT NULL CHECK (free >= 0),
  reserved INTEGER NOT NULL CHECK (reserved >= 0),
  message_id TEXT
) STRICT;
INSERT INTO ledger VALUES(1,1767225600000,'opening',10000000,10000000,0,NULL);
INSERT INTO ledger VALUES(2,1767225600000,'hold',500,9999500,500,'msg_0d801923-941d-4d76-9997-1dabc429aea6');
INSERT INTO ledger VALUES(3,1767225600824,'charge',500,9999500,0,'msg_0d801923-941d-4d76-9997-1dabc429aea6');
INSERT INTO ledger VALUES(4,1767225660000,'hold',500,9999000,500,'msg_0d801924-bf51-4669-a407-4245caf0b9c8');
INSERT INTO ledger VALUES(5,1767225660000,'release',500,9999500,0,'msg_0d801924-bf51-4669-a407-4245caf0b9c8');
INSERT INTO ledger VALUES(6,1767225660000,'hold',500,9999000,500,'msg_0d801925-b9ca-4015-b84e-5d5f52af911b');
INSERT INTO ledger VALUES(7,1767225660000,'release',500,9999500,0,'msg_0d801925-b9ca-4015-b84e-5d5f52af911b');
INSERT INTO ledger VALUES(8,1767225660000,'hold',500,9999000,500,'msg_0d801926-203f-442a-859c-3907c5913be3');
INSERT INTO ledger VALUES(9,1767225660000,'release',500,9999500,0,'msg_0d801926-203f-442a-859c-3907c5913be3');
INSERT INTO ledger VALUES(10,1767225661000,'hold',50,9999450,50,'msg_0d801927-55fa-49bd-8f7f-fe1d42bae1c3');
INSERT INTO ledger VALUES(11,1767225661000,'charge',50,9999450,0,'msg_0d801927-55fa-49bd-8f7f-fe1d42bae1c3');
INSERT INTO ledger VALUES(12,1767225663000,'hold',50,9999400,50,'msg_0d801928-3274-4e22-a19c-b2f5efaa273e');
INSERT INTO ledger VALUES(13,1767225663000,'release',50,9999450,0,'msg_0d801928-3274-4e22-a19c-b2f5efaa273e');
INSERT INTO ledger VALUES(14,1767225663000,'hold',500,9998950,500,'msg_0d801929-cc52-4a4a-b50e-a3b23706b6ea');
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
INSERT INTO usage VALUES('2026-01','EMAIL','basic_message',50,2,1,1);
INSERT INTO usage VALUES('2026-01','RCS','basic_message',500,5,1,3);
CREATE TABLE invoices (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  month TEXT NOT NULL UNIQUE,
  vat_percent REAL,
  issued_at INTEGER
) STRICT;
INSERT INTO invoices VALUES(1,'inv_443a96d0-5fca-4f15-b3a7-90af0c6918de','2026-01',NULL,NULL);
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
  profile TEXT NOT NULL,
  changed TEXT
) STRICT;
INSERT INTO carriers VALUES(1,'nordfunk','{"name":"nordfunk","weight":4,"dispatch_delay":{"lowMs":100,"highMs":400},"delivery_delay":{"lowMs":300,"highMs":1500},"failure_delay":{"lowMs":300,"highMs":1500},"read_delay":{"lowMs":600,"highMs":3000},"read":1,"failed":{},"never_delivered":0,"outage":false}',NULL);
INSERT INTO carriers VALUES(2,'rheinmobil','{"name":"rheinmobil","weight":4,"dispatch_delay":{"lowMs":100,"highMs":400},"delivery_delay":{"lowMs":300,"highMs":1500},"failure_delay":{"lowMs":300,"highMs":1500},"read_delay":{"lowMs":600,"highMs":3000},"read":1,"failed":{},"never_delivered":0,"outage":false}',NULL);
INSERT INTO carriers VALUES(3,'alpentel','{"name":"alpentel","weight":2,"dispatch_delay":{"lowMs":100,"highMs":400},"delivery_delay":{"lowMs":300,"highMs":1500},"failure_delay":{"lowMs":300,"highMs":1500},"read_delay":{"lowMs":600,"highMs":3000},"read":1,"failed":{},"never_delivered":0,"outage":false}',NULL);
CREATE TABLE carrier_rooms (
  carrier TEXT PRIMARY KEY,
  last_at REAL NOT NULL,
  timer_id INTEGER
) STRICT, WITHOUT ROWID;
CREATE TABLE mail (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  profile TEXT NOT NULL
) STRICT;
INSERT INTO mail VALUES(1,'{"dispatch_delay":{"lowMs":100,"highMs":500},"delivery_delay":{"lowMs":300,"highMs":1500},"open_delay":{"lowMs":800,"highMs":3000},"click_delay":{"lowMs":800,"highMs":3000},"bounced":0,"opened":0,"clicked":0,"complained":0}');
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
INSERT INTO agents VALUES('ag_live_00000000-0000-4000-8000-000000000001','APPROVED','EUROPE','CONVERSATIONAL','MULTI_USE',0,'{"display_name":"Old"}','[{"carrier":"nordfunk","status":"LAUNCHED","launched_at":1767225600000,"rejection_reason":null},{"carrier":"rheinmobil","status":"LAUNCHED","launched_at":1767225600000,"rejection_reason":null},{"carrier":"alpentel","status":"LAUNCHED","launched_at":1767225600000,"rejection_reason":null}]',1767225600000,1767225600000,1767225600000,NULL,NULL,NULL);
CREATE TABLE review (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  terms TEXT NOT NULL
) STRICT;
INSERT INTO review VALUES(1,'{"outcome":"approved","reason":"The brand could not be verified.","delay":{"lowMs":2000,"highMs":2000},"launch_gap":{"lowMs":1000,"highMs":1000},"launch":{},"profile":"optional"}');
CREATE TABLE channels (
  channel_id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  active INTEGER NOT NULL,
  domain_verified INTEGER NOT NULL,
  message_types TEXT NOT NULL,
  agent_id TEXT
) STRICT, WITHOUT ROWID;
INSERT INTO channels VALUES('ch_00000000-0000-4000-8000-000000000001','EMAIL','Mail',1,1,'["MESSAGE","NEWSLETTER"]',NULL);
INSERT INTO channels VALUES('ch_6fb2009f-1d22-4a94-9992-7871a02d1448','RCS','Old',1,1,'["MESSAGE","NEWSLETTER"]','ag_live_00000000-0000-4000-8000-000000000001');
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
INSERT INTO contacts VALUES(1,'c_00000000-0000-4000-8000-000000000001',NULL,NULL,'+491713920050',NULL,NULL,'ACTIVE','API','[]','{}',1767225600000,1767225600000);
INSERT INTO contacts VALUES(2,'c_1e2190ab-7160-4ab1-8c92-8c262f841889',NULL,'ada@example.com',NULL,NULL,NULL,'UNSUBSCRIBED','API','[]','{}',1767225661000,1767225663000);
INSERT INTO contacts VALUES(3,'c_1e2190ac-4dd0-4097-ae9b-09a754d24a19',NULL,'bob@example.com',NULL,NULL,NULL,'BOUNCED','API','[]','{}',1767225663000,1767225663000);
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
  doi_sent_at INTEGER,
  granted_at INTEGER,
  revoked_at INTEGER,
  created_at INTEGER NOT NULL,
  ip_hash TEXT,
  UNIQUE (contact_id, channel_type, message_type)
) STRICT;
INSERT INTO consent_records VALUES(1,'cr_01392d65-03e7-46ca-9334-07950ac74711','c_00000000-0000-4000-8000-000000000001','RCS','MESSAGE','GRANTED','old',NULL,0,NULL,NULL,NULL,NULL,1767225600000,NULL,1767225600000,NULL);
CREATE TABLE sessions (
  agent_id TEXT NOT NULL,
  phone TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  timer_id INTEGER NOT NULL,
  fee_message_id TEXT,
  PRIMARY KEY (agent_id, phone)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE campaign_sends (
  execution INTEGER NOT NULL,
  node TEXT NOT NULL,
  message_id TEXT NOT NULL,
  PRIMARY KEY (execution, node)
) STRICT, WITHOUT ROWID;
CREATE TABLE rules (
  id TEXT PRIMARY KEY,
  place INTEGER NOT NULL,
  definition TEXT NOT NULL,
  seen INTEGER NOT NULL DEFAULT 0,
  hits INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE networks (id INTEGER PRIMARY KEY, facts TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO networks VALUES(1,'{"carrier":{"name":"nordfunk","weight":4,"dispatch_delay":{"lowMs":100,"highMs":400},"delivery_delay":{"lowMs":300,"highMs":1500},"failure_delay":{"lowMs":300,"highMs":1500},"read_delay":{"lowMs":600,"highMs":3000},"read":1,"failed":{},"never_delivered":0,"outage":false},"weights":{"nordfunk":4,"rheinmobil":4,"alpentel":2}}');
INSERT INTO networks VALUES(2,'{"mail":{"dispatch_delay":{"lowMs":100,"highMs":500},"delivery_delay":{"lowMs":300,"highMs":1500},"open_delay":{"lowMs":800,"highMs":3000},"click_delay":{"lowMs":800,"highMs":3000},"bounced":0,"opened":0,"clicked":0,"complained":0}}');
CREATE TABLE holdups (
  message_id TEXT NOT NULL,
  reason TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  times INTEGER NOT NULL,
  PRIMARY KEY (message_id, reason)
) STRICT, WITHOUT ROWID;
CREATE TABLE deeds (
  message_id TEXT NOT NULL,
  trigger TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (message_id, trigger)
) STRICT, WITHOUT ROWID;
INSERT INTO deeds VALUES('msg_0d801924-bf51-4669-a407-4245caf0b9c8','fail',1767225660000);
INSERT INTO deeds VALUES('msg_0d801925-b9ca-4015-b84e-5d5f52af911b','expire',1767225660000);
INSERT INTO deeds VALUES('msg_0d801927-55fa-49bd-8f7f-fe1d42bae1c3','click',1767225662000);
INSERT INTO deeds VALUES('msg_0d801927-55fa-49bd-8f7f-fe1d42bae1c3','complain',1767225663000);
INSERT INTO deeds VALUES('msg_0d801927-55fa-49bd-8f7f-fe1d42bae1c3','deliver',1767225661000);
INSERT INTO deeds VALUES('msg_0d801927-55fa-49bd-8f7f-fe1d42bae1c3','dispatch',1767225661000);
INSERT INTO deeds VALUES('msg_0d801927-55fa-49bd-8f7f-fe1d42bae1c3','open',1767225661000);
INSERT INTO deeds VALUES('msg_0d801927-55fa-49bd-8f7f-fe1d42bae1c3','unsubscribe',1767225663000);
INSERT INTO deeds VALUES('msg_0d801928-3274-4e22-a19c-b2f5efaa273e','bounce',1767225663000);
INSERT INTO deeds VALUES('msg_0d801928-3274-4e22-a19c-b2f5efaa273e','dispatch',1767225663000);
CREATE TABLE handsets (
  phone TEXT PRIMARY KEY,
  settings TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE mailboxes (
  address TEXT PRIMARY KEY,
  settings TEXT NOT NULL
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
INSERT INTO events VALUES(1,'evt_6bc64a0d-2700-40f5-b9d7-4ce52429f003','message.queued',1767225600000,'msg_0d801923-941d-4d76-9997-1dabc429aea6','{"id":"evt_6bc64a0d-2700-40f5-b9d7-4ce52429f003","event":"message.queued","timestamp":"2026-01-01T00:00:00.000Z","data":{"message_id":"msg_0d801923-941d-4d76-9997-1dabc429aea6","agent_id":"ag_live_00000000-0000-4000-8000-000000000001","to":"+491713920050","status":"queued","queued_at":"2026-01-01T00:00:00.000Z"}}');
INSERT INTO events VALUES(2,'evt_6bc64a0e-d801-45fa-8ff6-c2a22395b51b','message.delivered',1767225600824,'msg_0d801923-941d-4d76-9997-1dabc429aea6','{"id":"evt_6bc64a0e-d801-45fa-8ff6-c2a22395b51b","event":"message.delivered","timestamp":"2026-01-01T00:00:00.824Z","data":{"message_id":"msg_0d801923-941d-4d76-9997-1dabc429aea6","agent_id":"ag_live_00000000-0000-4000-8000-000000000001","to":"+491713920050","status":"delivered","delivered_at":"2026-01-01T00:00:00.824Z"}}');
INSERT INTO events VALUES(3,'evt_6bc64a0f-7664-467e-917f-fdf0aac09a5c','message.read',1767225603097,'msg_0d801923-941d-4d76-9997-1dabc429aea6','{"id":"evt_6bc64a0f-7664-467e-917f-fdf0aac09a5c","event":"message.read","timestamp":"2026-01-01T00:00:03.097Z","data":{"message_id":"msg_0d801923-941d-4d76-9997-1dabc429aea6","agent_id":"ag_live_00000000-0000-4000-8000-000000000001","to":"+491713920050","status":"read","read_at":"2026-01-01T00:00:03.097Z"}}');
INSERT INTO events VALUES(4,'evt_6bc64a10-d609-4625-aaee-050ede5e9887','message.queued',1767225660000,'msg_0d801924-bf51-4669-a407-4245caf0b9c8','{"id":"evt_6bc64a10-d609-4625-aaee-050ede5e9887","event":"message.queued","timestamp":"2026-01-01T00:01:00.000Z","data":{"message_id":"msg_0d801924-bf51-4669-a407-4245caf0b9c8","agent_id":"ag_live_00000000-0000-4000-8000-000000000001","to":"+491713920050","status":"queued","queued_at":"2026-01-01T00:01:00.000Z"}}');
INSERT INTO events VALUES(5,'evt_6bc64a11-2ae2-4c3f-88a9-beecb25ed755','message.failed',1767225660000,'msg_0d801924-bf51-4669-a407-4245caf0b9c8','{"id":"evt_6bc64a11-2ae2-4c3f-88a9-beecb25ed755","event":"message.failed","timestamp":"2026-01-01T00:01:00.000Z","data":{"message_id":"msg_0d801924-bf51-4669-a407-4245caf0b9c8","agent_id":"ag_live_00000000-0000-4000-8000-000000000001","to":"+491713920050","status":"failed","failed_at":"2026-01-01T00:01:00.000Z","failure_reason":"REJECTED_SPAM"}}');
INSERT INTO events VALUES(6,'evt_6bc64a12-ccaf-4aac-9f43-5f24d560daf8','message.queued',1767225660000,'msg_0d801925-b9ca-4015-b84e-5d5f52af911b','{"id":"evt_6bc64a12-ccaf-4aac-9f43-5f24d560daf8","event":"message.queued","timestamp":"2026-01-01T00:01:00.000Z","data":{"message_id":"msg_0d801925-b9ca-4015-b84e-5d5f52af911b","agent_id":"ag_live_00000000-0000-4000-8000-000000000001","to":"+491713920050","status":"queued","queued_at":"2026-01-01T00:01:00.000Z"}}');
INSERT INTO events VALUES(7,'evt_6bc64a13-8e08-4367-9c10-7f17a1ec0fd6','message.expired',1767225660000,'msg_0d801925-b9ca-4015-b84e-5d5f52af911b','{"id":"evt_6bc64a13-8e08-4367-9c10-7f17a1ec0fd6","event":"message.expired","timestamp":"2026-01-01T00:01:00.000Z","data":{"message_id":"msg_0d801925-b9ca-4015-b84e-5d5f52af911b","agent_id":"ag_live_00000000-0000-4000-8000-000000000001","to":"+491713920050","status":"expired","expired_at":"2026-01-01T00:01:00.000Z"}}');
INSERT INTO events VALUES(8,'evt_6bc64a14-7e15-4557-aa86-c7afca82e0ce','message.queued',1767225660000,'msg_0d801926-203f-442a-859c-3907c5913be3','{"id":"evt_6bc64a14-7e15-4557-aa86-c7afca82e0ce","event":"message.queued","timestamp":"2026-01-01T00:01:00.000Z","data":{"message_id":"msg_0d801926-203f-442a-859c-3907c5913be3","agent_id":"ag_live_00000000-0000-4000-8000-000000000001","to":"+491713920050","status":"queued","queued_at":"2026-01-01T00:01:00.000Z"}}');
INSERT INTO events VALUES(9,'evt_6bc64a15-1d96-4d54-9f2a-502cecba5fa3','message.revoked',1767225660000,'msg_0d801926-203f-442a-859c-3907c5913be3','{"id":"evt_6bc64a15-1d96-4d54-9f2a-502cecba5fa3","event":"message.revoked","timestamp":"2026-01-01T00:01:00.000Z","data":{"message_id":"msg_0d801926-203f-442a-859c-3907c5913be3","agent_id":"ag_live_00000000-0000-4000-8000-000000000001","to":"+491713920050","revoked_at":"2026-01-01T00:01:00.000Z"}}');
INSERT INTO events VALUES(10,'evt_6bc64a16-8169-4b61-8e60-49a4a2dfe3fe','contact.created',1767225661000,'c_1e2190ab-7160-4ab1-8c92-8c262f841889','{"id":"evt_6bc64a16-8169-4b61-8e60-49a4a2dfe3fe","event":"contact.created","timestamp":"2026-01-01T00:01:01.000Z","data":{"contact_id":"c_1e2190ab-7160-4ab1-8c92-8c262f841889","external_id":null,"email":"ada@example.com","phone":null,"status":"ACTIVE","source":"API","created_at":"2026-01-01T00:01:01.000Z"}}');
INSERT INTO events VALUES(11,'evt_6bc64a17-9684-4da3-992a-1f6e5fc71b50','message.queued',1767225661000,'msg_0d801927-55fa-49bd-8f7f-fe1d42bae1c3','{"id":"evt_6bc64a17-9684-4da3-992a-1f6e5fc71b50","event":"message.queued","timestamp":"2026-01-01T00:01:01.000Z","data":{"message_id":"msg_0d801927-55fa-49bd-8f7f-fe1d42bae1c3","channel_id":"ch_00000000-0000-4000-8000-000000000001","to":"ada@example.com","status":"queued","queued_at":"2026-01-01T00:01:01.000Z"}}');
INSERT INTO events VALUES(12,'evt_6bc64a18-91c9-4622-8165-ed56700276ca','email.delivered',1767225661000,'msg_0d801927-55fa-49bd-8f7f-fe1d42bae1c3','{"id":"evt_6bc64a18-91c9-4622-8165-ed56700276ca","event":"email.delivered","timestamp":"2026-01-01T00:01:01.000Z","data":{"message_id":"msg_0d801927-55fa-49bd-8f7f-fe1d42bae1c3","channel_id":"ch_00000000-0000-4000-8000-000000000001","to":"ada@example.com","subject":"Hi","delivered_at":"2026-01-01T00:01:01.000Z"}}');
INSERT INTO events VALUES(13,'evt_6bc64a19-e079-4dec-8a73-34f5ed101422','email.opened',1767225661000,'msg_0d801927-55fa-49bd-8f7f-fe1d42bae1c3','{"id":"evt_6bc64a19-e079-4dec-8a73-34f5ed101422","event":"email.opened","timestamp":"2026-01-01T00:01:01.000Z","data":{"message_id":"msg_0d801927-55fa-49bd-8f7f-fe1d42bae1c3","channel_id":"ch_00000000-0000-4000-8000-000000000001","to":"ada@example.com","subject":"Hi","opened_at":"2026-01-01T00:01:01.000Z"}}');
INSERT INTO events VALUES(14,'evt_6bc64a1a-135d-4dda-97bc-5f462ab95066','email.clicked',1767225662000,'msg_0d801927-55fa-49bd-8f7f-fe1d42bae1c3','{"id":"evt_6bc64a1a-135d-4dda-97bc-5f462ab95066","event":"email.clicked","timestamp":"2026-01-01T00:01:02.000Z","data":{"message_id":"msg_0d801927-55fa-49bd-8f7f-fe1d42bae1c3","channel_id":"ch_00000000-0000-4000-8000-000000000001","to":"ada@example.com","subject":"Hi","url":"https://example.com","clicked_at":"2026-01-01T00:01:02.000Z"}}');
INSERT INTO events VALUES(15,'evt_6bc64a1b-b8bb-4db6-bfcb-a7c0ee3330bc','email.complained',1767225663000,'msg_0d801927-55fa-49bd-8f7f-fe1d42bae1c3','{"id":"evt_6bc64a1b-b8bb-4db6-bfcb-a7c0ee3330bc","event":"email.complained","timestamp":"2026-01-01T00:01:03.000Z","data":{"message_id":"msg_0d801927-55fa-49bd-8f7f-fe1d42bae1c3","channel_id":"ch_00000000-0000-4000-8000-000000000001","to":"ada@example.com","subject":"Hi","complained_at":"2026-01-01T00:01:03.000Z"}}');
INSERT INTO events VALUES(16,'evt_6bc64a1c-4f59-4e3c-be46-03da18d85018','contact.updated',1767225663000,'c_1e2190ab-7160-4ab1-8c92-8c262f841889','{"id":"evt_6bc64a1c-4f59-4e3c-be46-03da18d85018","event":"contact.updated","timestamp":"2026-01-01T00:01:03.000Z","data":{"contact_id":"c_1e2190ab-7160-4ab1-8c92-8c262f841889","external_id":null,"email":"ada@example.com","phone":null,"status":"UNSUBSCRIBED","source":"API","updated_at":"2026-01-01T00:01:03.000Z"}}');
INSERT INTO events VALUES(17,'evt_6bc64a1d-3263-4e34-af28-2228cb54eb91','email.unsubscribed',1767225663000,'msg_0d801927-55fa-49bd-8f7f-fe1d42bae1c3','{"id":"evt_6bc64a1d-3263-4e34-af28-2228cb54eb91","event":"email.unsubscribed","timestamp":"2026-01-01T00:01:03.000Z","data":{"message_id":"msg_0d801927-55fa-49bd-8f7f-fe1d42bae1c3","channel_id":"ch_00000000-0000-4000-8000-000000000001","to":"ada@example.com","subject":"Hi","unsubscribed_at":"2026-01-01T00:01:03.000Z"}}');
INSERT INTO events VALUES(18,'evt_6bc64a1e-2d0f-4e98-9066-677c4c3079ce','contact.created',1767225663000,'c_1e2190ac-4dd0-4097-ae9b-09a754d24a19','{"id":"evt_6bc64a1e-2d0f-4e98-9066-677c4c3079ce","event":"contact.created","timestamp":"2026-01-01T00:01:03.000Z","data":{"contact_id":"c_1e2190ac-4dd0-4097-ae9b-09a754d24a19","external_id":null,"email":"bob@example.com","phone":null,"status":"ACTIVE","source":"API","created_at":"2026-01-01T00:01:03.000Z"}}');
INSERT INTO events VALUES(19,'evt_6bc64a1f-bf12-4d64-ba35-a00bafed9806','message.queued',1767225663000,'msg_0d801928-3274-4e22-a19c-b2f5efaa273e','{"id":"evt_6bc64a1f-bf12-4d64-ba35-a00bafed9806","event":"message.queued","timestamp":"2026-01-01T00:01:03.000Z","data":{"message_id":"msg_0d801928-3274-4e22-a19c-b2f5efaa273e","channel_id":"ch_00000000-0000-4000-8000-000000000001","to":"bob@example.com","status":"queued","queued_at":"2026-01-01T00:01:03.000Z"}}');
INSERT INTO events VALUES(20,'evt_6bc64a20-0b7f-493f-b99e-f9f67c79a7a8','email.bounced',1767225663000,'msg_0d801928-3274-4e22-a19c-b2f5efaa273e','{"id":"evt_6bc64a20-0b7f-493f-b99e-f9f67c79a7a8","event":"email.bounced","timestamp":"2026-01-01T00:01:03.000Z","data":{"message_id":"msg_0d801928-3274-4e22-a19c-b2f5efaa273e","channel_id":"ch_00000000-0000-4000-8000-000000000001","to":"bob@example.com","subject":"Hi","bounce_type":"hard","bounce_code":"5.1.1","bounce_message":"The mailbox does not exist.","bounced_at":"2026-01-01T00:01:03.000Z"}}');
INSERT INTO events VALUES(21,'evt_6bc64a21-3a8a-4bbb-8177-22ff396a3ea3','contact.updated',1767225663000,'c_1e2190ac-4dd0-4097-ae9b-09a754d24a19','{"id":"evt_6bc64a21-3a8a-4bbb-8177-22ff396a3ea3","event":"contact.updated","timestamp":"2026-01-01T00:01:03.000Z","data":{"contact_id":"c_1e2190ac-4dd0-4097-ae9b-09a754d24a19","external_id":null,"email":"bob@example.com","phone":null,"status":"BOUNCED","source":"API","updated_at":"2026-01-01T00:01:03.000Z"}}');
INSERT INTO events VALUES(22,'evt_6bc64a22-bcf0-4e3a-9c0e-5aa27d1ffa05','message.queued',1767225663000,'msg_0d801929-cc52-4a4a-b50e-a3b23706b6ea','{"id":"evt_6bc64a22-bcf0-4e3a-9c0e-5aa27d1ffa05","event":"message.queued","timestamp":"2026-01-01T00:01:03.000Z","data":{"message_id":"msg_0d801929-cc52-4a4a-b50e-a3b23706b6ea","agent_id":"ag_live_00000000-0000-4000-8000-000000000001","to":"+491713920050","status":"queued","queued_at":"2026-01-01T00:01:03.000Z"}}');
CREATE TABLE event_cursors (name TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE event_slices (last_seq INTEGER PRIMARY KEY, bytes INTEGER NOT NULL) STRICT;
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
  fault TEXT,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE TABLE attempts (
  delivery_seq INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  status_code INTEGER,
  duration_ms INTEGER NOT NULL,
  error TEXT,
  response TEXT,
  fault TEXT,
  PRIMARY KEY (delivery_seq, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE faults (
  position INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  fault TEXT NOT NULL,
  seen INTEGER NOT NULL DEFAULT 0,
  hits INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX timers_outside ON timers (due_at) WHERE lane = 1;
CREATE INDEX messages_contact ON messages (contact_id, seq);
CREATE INDEX messages_campaign ON messages (campaign_id, seq) WHERE campaign_id IS NOT NULL;
CREATE INDEX messages_received ON messages (recipient COLLATE NOCASE, deliver_at) WHERE deliver_at IS NOT NULL;
CREATE INDEX waiting_messages_for ON waiting_messages (waits_for, seq);
CREATE UNIQUE INDEX channels_agent ON channels (agent_id) WHERE agent_id IS NOT NULL;
CREATE UNIQUE INDEX consent_records_token ON consent_records (doi_token) WHERE doi_token IS NOT NULL;
CREATE INDEX sessions_fee ON sessions (fee_message_id) WHERE fee_message_id IS NOT NULL;
CREATE INDEX campaign_executions_queued ON campaign_executions (run, seq) WHERE queued = 1;
CREATE INDEX inbox_address ON inbox (address, seq);
CREATE INDEX deliveries_open ON deliveries (endpoint_id, subject, seq) WHERE status IN ('waiting', 'pending', 'held');
CREATE INDEX deliveries_of_event ON deliveries (event_seq);
PRAGMA user_version = 3;
