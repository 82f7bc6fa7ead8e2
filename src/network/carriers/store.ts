import type { Database } from '../../world/storage/database.ts'
import type { CarrierProfile, MagicRecipient, MailProfile } from './contract.ts'

export const tables = `
CREATE TABLE carriers (
  position INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  profile TEXT NOT NULL,
  changed TEXT
) STRICT;
CREATE TABLE carrier_rooms (
  carrier TEXT PRIMARY KEY,
  last_at REAL NOT NULL,
  timer_id INTEGER
) STRICT, WITHOUT ROWID;
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
`

/** The room that a carrier's throughput leaves. */
export interface RoomRow {
  carrier: string
  /** The instant at which a message last took a place, ms; it may be a fraction, where several leave within one. */
  last_at: number
  /** The timer of the next free place, while messages wait for it. */
  timer_id: number | null
}

export function carrierStore(db: Database) {
  // `profile` is the definition of the world file, `changed` the current one.
  const carriers = db.prepare<{ profile: string }>(
    'SELECT coalesce(changed, profile) AS profile FROM carriers ORDER BY position',
  )
  const originals = db.prepare<{ profile: string }>('SELECT profile FROM carriers ORDER BY position')
  const insertCarrier = db.prepare('INSERT INTO carriers (name, profile) VALUES (?, ?)')
  const mail = db.prepare<{ profile: string }>('SELECT profile FROM mail')
  const setMail = db.prepare(
    'INSERT INTO mail (id, profile) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET profile = excluded.profile',
  )
  const magicList = db.prepare<{ address: string; recipient: string }>(
    'SELECT address, recipient FROM magic_recipients ORDER BY position',
  )
  const insertMagic = db.prepare('INSERT INTO magic_recipients (address, recipient) VALUES (?, ?)')
  const changeCarrier = db.prepare('UPDATE carriers SET changed = :changed WHERE name = :name')
  const room = db.prepare<RoomRow>('SELECT * FROM carrier_rooms WHERE carrier = ?')
  const setRoom = db.prepare(
    `INSERT INTO carrier_rooms (carrier, last_at, timer_id) VALUES (:carrier, :last_at, :timer_id)
     ON CONFLICT (carrier) DO UPDATE SET last_at = excluded.last_at, timer_id = excluded.timer_id`,
  )
  const callNobody = db.prepare('UPDATE carrier_rooms SET timer_id = NULL')
  const refuse = db.prepare<{ in_a_row: number }>(
    `INSERT INTO outage_refusals (campaign_id, carrier, in_a_row) VALUES (?, ?, 1)
     ON CONFLICT (campaign_id, carrier) DO UPDATE SET in_a_row = in_a_row + 1 RETURNING in_a_row`,
  )
  const take = db.prepare('DELETE FROM outage_refusals WHERE campaign_id = ? AND carrier = ?')
  const forgetRefusals = db.prepare('DELETE FROM outage_refusals WHERE campaign_id = ?')
  const carrierCache = db.cached(() => carriers.all().map(({ profile }): CarrierProfile => JSON.parse(profile)))
  const mailCache = db.cached((): MailProfile => JSON.parse(mail.get()!.profile))
  const magicCache = db.cached(
    () => new Map(magicList.all().map((row): [string, MagicRecipient] => [row.address, JSON.parse(row.recipient)])),
  )
  return {
    carriers: (): CarrierProfile[] => carrierCache.get(),
    insertCarrier(profile: CarrierProfile) {
      insertCarrier.run(profile.name, JSON.stringify(profile))
      carrierCache.invalidate()
    },
    originals: (): CarrierProfile[] => originals.all().map(({ profile }) => JSON.parse(profile)),
    changeCarrier(name: string, profile: CarrierProfile | undefined) {
      changeCarrier.run({ name, changed: profile === undefined ? null : JSON.stringify(profile) })
      carrierCache.invalidate()
    },
    room: (carrier: string) => room.get(carrier),
    setRoom: (row: RoomRow) => void setRoom.run({ ...row }),
    callNobody: () => void callNobody.run(),
    /** Counts a refusal. Returns how many messages of the campaign the carrier has now refused in a row. */
    refuse: (campaignId: string, carrier: string): number => refuse.get(campaignId, carrier)!.in_a_row,
    take: (campaignId: string, carrier: string) => void take.run(campaignId, carrier),
    forgetRefusals: (campaignId: string) => void forgetRefusals.run(campaignId),
    mail: (): MailProfile => mailCache.get(),
    setMail(profile: MailProfile) {
      setMail.run(JSON.stringify(profile))
      mailCache.invalidate()
    },
    /** Maps addresses to magic recipients, in the order of the world file. */
    magicRecipients: (): ReadonlyMap<string, MagicRecipient> => magicCache.get(),
    insertMagic(recipient: MagicRecipient) {
      insertMagic.run(recipient.address, JSON.stringify(recipient))
      magicCache.invalidate()
    },
  }
}
