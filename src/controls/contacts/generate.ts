import { takenAddresses } from '../../service/contacts/actions.ts'
import { placeContact, placeNewContact } from '../../service/contacts/world-file.ts'
import { FICTIONAL_PHONES, fictionalPhone } from '../../words/fictional-phones.ts'
import { withCommas } from '../../words/number-text.ts'
import { afterPart, problem } from '../../words/problem.ts'
import { stopwatch, yieldToRequests } from '../../world/machine-time.ts'
import type { AsyncAction, Call } from '../../world/noun.ts'
import { setting } from '../../world/setting.ts'
import { refuseBeyondStorage } from '../../world/tenants/storage-limit.ts'
import type { World } from '../../world/world.ts'
import type { generateContacts } from './contract.ts'

/** The longest slice of contacts between other requests, machine ms. Its commit, which inserts them, takes twice as long. */
const SLICE_MS = 5
/** Contacts whose addresses are checked together. */
const PART = 50

const FIRST_NAMES =
  'Ada Aisha Amina Anna Ben Carla Chen David Elena Emil Fatima Felix Grace Hana Ivan Jonas Julia Kofi Lena Leo Lucia Maria Mei Mila Noah Nora Omar Paul Priya Rosa Samuel Yuki'.split(
    ' ',
  )
const LAST_NAMES =
  'Adeyemi Ahmed Bauer Becker Chen Costa Dubois Fischer Garcia Haddad Hansen Ivanova Jansen Kaya Khan Kim Kowalski Larsen Lopez Meyer Moreau Nakamura Novak Okafor Patel Rossi Santos Schmidt Silva Tanaka Wagner Weber'.split(
    ' ',
  )

/** The number of contacts that were generated, those included whose addresses were taken. */
export const used = setting<number>('contacts generated', (written) => written ?? 0)

type Request = Call<typeof generateContacts>['body']

/** POST /_sandbox/contacts/generate. Slices are committed, so an interrupted call keeps what it has generated. */
export const generate: AsyncAction<typeof generateContacts> = async (world, { body, caller: { signal } }) => {
  if (used.of(world) + body.count > FICTIONAL_PHONES) throw tooMany(FICTIONAL_PHONES - used.of(world))
  for (let left = body.count; left > 0; await yieldToRequests())
    try {
      if (signal.aborted) throw problem('shutting_down')
      refuseBeyondStorage(world)
      left -= world.transaction(() => generateSlice(world, body, left))
    } catch (error) {
      const made = body.count - left
      throw afterPart(
        error,
        made,
        `${withCommas(made)} contacts were generated, so ${withCommas(left)} are left to generate.`,
      )
    }
  return { generated: body.count }
}

/** Generates contacts until the time is up; returns their number. */
function generateSlice(world: World, body: Request, limit: number): number {
  const elapsed = stopwatch()
  let count = 0
  let n = used.of(world)
  while (count < limit && elapsed() < SLICE_MS) {
    const part = Array.from({ length: Math.min(PART, limit - count) }, () => addressesOf(++n))
    const taken = takenAddresses(
      world,
      part.flatMap(({ phone, email }) => [phone, email]),
    )
    const free = part.filter(({ phone, email }) => !taken.has(phone) && !taken.has(email))
    // The first one is placed alone, which refuses consents that are the same.
    for (const one of free) generateOne(world, body, one, count++ === 0 ? placeContact : placeNewContact)
  }
  used.set(world, n)
  return count
}

interface Addresses {
  n: number
  phone: string
  email: string
}

/** The addresses of the n-th contact. Leases take numbers from the other end. */
function addressesOf(n: number): Addresses {
  if (n > FICTIONAL_PHONES) throw tooMany(0)
  return { n, phone: fictionalPhone(FICTIONAL_PHONES - n, 0), email: `contact-${n}@example.com` }
}

function generateOne(
  world: World,
  { tag, consent }: Request,
  { n, phone, email }: Addresses,
  place: typeof placeNewContact,
) {
  const draw = Math.floor(world.random('generated name', String(n)) * FIRST_NAMES.length * LAST_NAMES.length)
  place(world, {
    phone,
    email,
    first_name: FIRST_NAMES[draw % FIRST_NAMES.length]!,
    last_name: LAST_NAMES[Math.floor(draw / FIRST_NAMES.length)]!,
    status: 'ACTIVE',
    source: 'IMPORT',
    tags: tag === undefined ? [] : [tag],
    custom_fields: {},
    consent: consent.map((one) => ({ ...one, status: 'GRANTED', source: 'generated' })),
  })
}

const tooMany = (left: number) =>
  problem(
    'limit_exceeded',
    `Phone numbers reserved for fiction are left for ${left} more contacts in this namespace.`,
    {
      details: [{ field: 'count', code: 'too_big', message: `must be at most ${left}` }],
    },
  )
