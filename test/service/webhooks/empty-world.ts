import { fileURLToPath } from 'node:url'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../src/index.ts'

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** An empty sandbox on a frozen clock. */
export const start = (options: SandboxOptions = {}): Promise<Sandbox> =>
  createSandbox({ world: fileOf('world.yaml'), checkAnswers: true, ...options })

/** The same, for receivers that never answer: it waits 400 ms. */
export const startImpatient = (options: SandboxOptions = {}): Promise<Sandbox> =>
  start({ world: fileOf('impatient.yaml'), ...options })

/** A change with an event: creates a contact, so the event is contact.created. */
export const makeContact = async ({ client }: Sandbox, email = 'ada@example.com'): Promise<string> =>
  (await client.contacts.create({ email })).id

/** Runs all work that is due now. */
export const settle = ({ clock }: Sandbox) => clock.advance('0s')
