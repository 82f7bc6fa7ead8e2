import { fileURLToPath } from 'node:url'
import { createSandbox, type Sandbox } from '../../../src/index.ts'

const plain = fileURLToPath(new URL('plain.yaml', import.meta.url))

/** A sandbox without contacts, whose answers are checked against their contract. */
export const emptySandbox = (options: { data?: string } = {}): Promise<Sandbox> =>
  createSandbox({ checkAnswers: true, world: plain, ...options })
