import { type Postgres, PostgresUnsuitable } from './postgres.ts'

/** Raised with each change of the tables below. */
const VERSION = 4
/** Any number that others do not use: the first node to start creates the tables. */
const LOCK = 726_201_126
const ERASURES = 'erasures int NOT NULL DEFAULT 0'

/**
 * `nodes`: one row for each running process, with digests of what must be the same on all (`setup`). `worlds`: who owns
 * a world, and how often it was erased. `log`: what the owner has written since `base_seq`. `chunks`: pieces of the
 * database file as it was at `base_seq`, and of a base that is being written.
 * `tenants`, `credentials` and `audit` are as in world/tenants; `tenant_changes`: the last change of each namespace, also
 * of those that were deleted.
 */
const TABLES = `
CREATE SCHEMA messaging_sandbox;
CREATE TABLE messaging_sandbox.cluster (version int NOT NULL, secret text NOT NULL, tenants_version bigint NOT NULL DEFAULT 0);
CREATE TABLE messaging_sandbox.nodes (
  instance text PRIMARY KEY,
  name text NOT NULL UNIQUE,
  url text NOT NULL,
  expires_at timestamptz NOT NULL,
  lapses bigint NOT NULL DEFAULT 0,
  is_draining boolean NOT NULL DEFAULT false,
  setup jsonb NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE messaging_sandbox.worlds (
  namespace text PRIMARY KEY,
  epoch bigint NOT NULL,
  owner text REFERENCES messaging_sandbox.nodes ON DELETE SET NULL,
  seq bigint NOT NULL DEFAULT 0,
  base_seq bigint NOT NULL DEFAULT 0,
  base_bytes bigint NOT NULL DEFAULT 0,
  due_at timestamptz,
  move_to text,
  ${ERASURES}
) WITH (fillfactor = 50);
CREATE INDEX worlds_owner ON messaging_sandbox.worlds (owner);
CREATE TABLE messaging_sandbox.log (
  namespace text NOT NULL,
  seq bigint NOT NULL,
  epoch bigint NOT NULL,
  record bytea NOT NULL,
  PRIMARY KEY (namespace, seq)
);
CREATE TABLE messaging_sandbox.chunks (
  namespace text NOT NULL,
  chunk int NOT NULL,
  seq bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (namespace, chunk, seq)
);
CREATE TABLE messaging_sandbox.tenants (
  namespace text PRIMARY KEY,
  created_at bigint NOT NULL,
  expires_at bigint,
  messages bigint,
  storage_bytes bigint,
  sends_per_minute bigint
);
CREATE TABLE messaging_sandbox.credentials (
  digest bytea PRIMARY KEY,
  namespace text NOT NULL REFERENCES messaging_sandbox.tenants,
  kind text NOT NULL,
  credential_id text NOT NULL,
  created_at bigint NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY
);
CREATE INDEX credentials_by_namespace ON messaging_sandbox.credentials (namespace, kind);
CREATE TABLE messaging_sandbox.tenant_changes (namespace text PRIMARY KEY, version bigint NOT NULL);
CREATE INDEX tenant_changes_by_version ON messaging_sandbox.tenant_changes (version);
CREATE TABLE messaging_sandbox.audit (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  actor text NOT NULL,
  namespace text NOT NULL,
  operation text NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  status int,
  request_id text NOT NULL,
  batch text NOT NULL,
  place int NOT NULL,
  UNIQUE (batch, place)
);
CREATE INDEX audit_by_namespace ON messaging_sandbox.audit (namespace, seq);
CREATE TABLE messaging_sandbox.snapshots (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  scope text NOT NULL,
  name text NOT NULL,
  description jsonb NOT NULL,
  file_bytes bigint NOT NULL,
  UNIQUE (scope, name)
);
ALTER TABLE messaging_sandbox.log ALTER record SET STORAGE EXTERNAL;
ALTER TABLE messaging_sandbox.chunks ALTER bytes SET STORAGE EXTERNAL;`

/** Creates the tables of the first node. Returns the secret that nodes show each other. */
export function prepareSchema(postgres: Postgres, newSecret: string): Promise<string> {
  return postgres.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [LOCK])
    const { count } = await query(`SELECT 1 FROM pg_namespace WHERE nspname = 'messaging_sandbox'`)
    if (count === 0) {
      await query(TABLES)
      await query('INSERT INTO messaging_sandbox.cluster (version, secret) VALUES ($1, $2)', [VERSION, newSecret])
      return newSecret
    }
    const { rows } = await query<{ version: number; secret: string }>(
      'SELECT version, secret FROM messaging_sandbox.cluster',
    )
    const [row] = rows
    if (row?.version !== VERSION)
      throw new PostgresUnsuitable(
        `The schema messaging_sandbox in PostgreSQL has version ${row?.version}; this release uses version ${VERSION}. ` +
          'Use the release that created it, or another database.',
      )
    // Earlier releases of this version can use the table with the column and without it.
    const { count: erasures } = await query(
      `SELECT 1 FROM pg_attribute WHERE attrelid = 'messaging_sandbox.worlds'::regclass AND attname = 'erasures'`,
    )
    if (erasures === 0) await query(`ALTER TABLE messaging_sandbox.worlds ADD ${ERASURES}`)
    return row.secret
  })
}
