import type { Database } from './database.ts'
import { migrations } from './migrations.ts'

/** Incremented with each change of a table; {@link migrations} has the step from the version before. */
export const SCHEMA_VERSION = 13

/**
 * Migrates the file of an earlier release in one transaction, so that this release still reads it if the disk is full; refuses a
 * later one without touching it.
 */
export function migrate(db: Database, file: string) {
  const from = versionOf(db)
  if (from === SCHEMA_VERSION) return
  const steps: string[] = []
  for (let version = from; version !== SCHEMA_VERSION; version++) {
    const step = migrations[version]
    if (version > SCHEMA_VERSION || !step) throw new SchemaMismatch(file, version)
    steps.push(step)
  }
  db.exec(`BEGIN IMMEDIATE; ${steps.join(';')}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`)
}

const versionOf = (db: Database) => Number(db.pragma('user_version'))

export class SchemaMismatch extends Error {
  readonly version: number

  constructor(file: string, version: number, readable = SCHEMA_VERSION) {
    super(
      `${file} has schema version ${version}; this release reads version ${readable}. ` +
        'Use the release that wrote it, or start with another --data folder.',
    )
    this.name = 'SchemaMismatch'
    this.version = version
  }
}
