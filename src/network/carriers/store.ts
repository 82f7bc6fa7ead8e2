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
  const current = db.values<string>('SELECT coalesce(changed, profile) FROM carriers ORDER BY position')
  const originals = db.values<string>('SELECT profile FROM carriers ORDER BY position')
  const mailProfile = db.value<string>('SELECT profile FROM mail')
  const magicList = db.all<{ address: string; recipient: string }>(
    'SELECT address, recipient FROM magic_recipients ORDER BY position',
  )
  const carriers = db.cached(() => current().map((profile): CarrierProfile => JSON.parse(profile)))
  const mail = db.cached((): MailProfile => JSON.parse(mailProfile()!))
  const magic = db.cached(
    () => new Map(magicList().map((row): [string, MagicRecipient] => [row.address, JSON.parse(row.recipient)])),
  )
  const insertCarrier = db.run<[string, string]>('INSERT INTO carriers (name, profile) VALUES (?, ?)', carriers)
  const changeCarrier = db.run<[string | null, string]>('UPDATE carriers SET changed = ? WHERE name = ?', carriers)
  const setMail = db.run<[string]>(
    'INSERT INTO mail (id, profile) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET profile = excluded.profile',
    mail,
  )
  const insertMagic = db.run<[string, string]>('INSERT INTO magic_recipients (address, recipient) VALUES (?, ?)', magic)
  const refuse = db.value<number, [campaignId: string, carrier: string]>(
    `INSERT INTO outage_refusals (campaign_id, carrier, in_a_row) VALUES (?, ?, 1)
     ON CONFLICT (campaign_id, carrier) DO UPDATE SET in_a_row = in_a_row + 1 RETURNING in_a_row`,
  )
  return {
    carriers: (): CarrierProfile[] => carriers.get(),
    insertCarrier: (profile: CarrierProfile) => void insertCarrier(profile.name, JSON.stringify(profile)),
    originals: (): CarrierProfile[] => originals().map((profile) => JSON.parse(profile)),
    changeCarrier: (name: string, profile: CarrierProfile | undefined) =>
      void changeCarrier(profile === undefined ? null : JSON.stringify(profile), name),
    room: db.one<RoomRow, [carrier: string]>('SELECT * FROM carrier_rooms WHERE carrier = ?'),
    setRoom: db.run<[RoomRow]>(
      `INSERT INTO carrier_rooms (carrier, last_at, timer_id) VALUES (:carrier, :last_at, :timer_id)
       ON CONFLICT (carrier) DO UPDATE SET last_at = excluded.last_at, timer_id = excluded.timer_id`,
    ),
    callNobody: db.run('UPDATE carrier_rooms SET timer_id = NULL'),
    /** Counts a refusal. Returns how many messages of the campaign the carrier has now refused in a row. */
    refuse: (campaignId: string, carrier: string): number => refuse(campaignId, carrier)!,
    take: db.run<[campaignId: string, carrier: string]>(
      'DELETE FROM outage_refusals WHERE campaign_id = ? AND carrier = ?',
    ),
    forgetRefusals: db.run<[campaignId: string]>('DELETE FROM outage_refusals WHERE campaign_id = ?'),
    mail: (): MailProfile => mail.get(),
    setMail: (profile: MailProfile) => void setMail(JSON.stringify(profile)),
    /** Maps addresses to magic recipients, in the order of the world file. */
    magicRecipients: (): ReadonlyMap<string, MagicRecipient> => magic.get(),
    insertMagic: (recipient: MagicRecipient) => void insertMagic(recipient.address, JSON.stringify(recipient)),
  }
}
