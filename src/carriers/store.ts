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
`

/** Profiles are read at every send and change hardly ever, so they are kept parsed until one is written. */
export function carrierStore(db: Database) {
  const carriers = db.prepare<{ profile: string }>('SELECT profile FROM carriers ORDER BY position')
  const insertCarrier = db.prepare('INSERT INTO carriers (name, profile) VALUES (?, ?)')
  const mail = db.prepare<{ profile: string }>('SELECT profile FROM mail')
  const setMail = db.prepare('INSERT INTO mail (id, profile) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET profile = excluded.profile')
  const magicList = db.prepare<{ recipient: string }>('SELECT recipient FROM magic_recipients ORDER BY position')
  const insertMagic = db.prepare('INSERT INTO magic_recipients (address, recipient) VALUES (?, ?)')
  let knownCarriers: CarrierProfile[] | undefined
  let knownMail: MailProfile | undefined
  return {
    carriers(): CarrierProfile[] {
      knownCarriers ??= carriers.all().map(({ profile }) => JSON.parse(profile))
      return knownCarriers
    },
    insertCarrier(profile: CarrierProfile) {
      knownCarriers = undefined
      insertCarrier.run(profile.name, JSON.stringify(profile))
    },
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
