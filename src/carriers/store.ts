import type { Database } from '../world/database.ts'
import type { CarrierProfile, MagicRecipient, MailProfile } from './contract.ts'

export const tables = `
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
`

export function carrierStore(db: Database) {
  const carriers = db.prepare<{ profile: string }>('SELECT profile FROM carriers ORDER BY position')
  const insertCarrier = db.prepare('INSERT INTO carriers (name, profile) VALUES (?, ?)')
  const mail = db.prepare<{ profile: string }>('SELECT profile FROM mail')
  const setMail = db.prepare(
    'INSERT INTO mail (id, profile) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET profile = excluded.profile',
  )
  const magicList = db.prepare<{ recipient: string }>('SELECT recipient FROM magic_recipients ORDER BY position')
  const insertMagic = db.prepare('INSERT INTO magic_recipients (address, recipient) VALUES (?, ?)')
  const updateCarrier = db.prepare('UPDATE carriers SET profile = :profile WHERE name = :name')
  const refuse = db.prepare<{ in_a_row: number }>(
    `INSERT INTO outage_refusals (campaign_id, carrier, in_a_row) VALUES (?, ?, 1)
     ON CONFLICT (campaign_id, carrier) DO UPDATE SET in_a_row = in_a_row + 1 RETURNING in_a_row`,
  )
  const take = db.prepare('DELETE FROM outage_refusals WHERE campaign_id = ? AND carrier = ?')
  const forgetRefusals = db.prepare('DELETE FROM outage_refusals WHERE campaign_id = ?')
  // Read at every send and written once, when the world is made.
  let knownMail: MailProfile | undefined
  return {
    carriers: (): CarrierProfile[] => carriers.all().map(({ profile }) => JSON.parse(profile)),
    insertCarrier: (profile: CarrierProfile) => void insertCarrier.run(profile.name, JSON.stringify(profile)),
    updateCarrier: (profile: CarrierProfile) =>
      void updateCarrier.run({ name: profile.name, profile: JSON.stringify(profile) }),
    /** How often in a row the carrier has now refused messages of the campaign. */
    refuse: (campaignId: string, carrier: string): number => refuse.get(campaignId, carrier)!.in_a_row,
    take: (campaignId: string, carrier: string) => void take.run(campaignId, carrier),
    forgetRefusals: (campaignId: string) => void forgetRefusals.run(campaignId),
    mail(): MailProfile {
      knownMail ??= JSON.parse(mail.get()!.profile) as MailProfile
      return knownMail
    },
    setMail(profile: MailProfile) {
      knownMail = undefined
      setMail.run(JSON.stringify(profile))
    },
    magicList: (): MagicRecipient[] => magicList.all().map(({ recipient }) => JSON.parse(recipient)),
    insertMagic: (recipient: MagicRecipient) => void insertMagic.run(recipient.address, JSON.stringify(recipient)),
  }
}
