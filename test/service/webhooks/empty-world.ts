import { fileURLToPath } from 'node:url'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../src/index.ts'

const world = fileURLToPath(new URL('world.yaml', import.meta.url))

/** A sandbox with nothing in it, on a frozen clock. */
export const start = (options: SandboxOptions = {}): Promise<Sandbox> =>
  createSandbox({ world, checkAnswers: true, ...options })

/** Any change that is told to endpoints: makes a contact, so the event is contact.created. */
export const makeContact = async ({ client }: Sandbox, email = 'ada@example.com'): Promise<string> =>
  (await client.contacts.create({ email })).id

/** Lets everything happen that is due now. */
export const settle = ({ clock }: Sandbox) => clock.advance('0s')
