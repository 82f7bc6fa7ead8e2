import { hash, randomBytes } from 'node:crypto'
import { apiKeyOf } from '../../words/api-key.ts'
import type { CredentialKind, NewCredential } from './registry.ts'

/** 160 bits. Hexadecimal, because a name may contain every other character that a key may have. */
const SECRET_BYTES = 20
const ID_BYTES = 6

const PREFIX: Readonly<Record<CredentialKind, string>> = { key: apiKeyOf(''), token: 'ct_' }

export interface IssuedCredential {
  /** The text that its holder sends. It is stored nowhere. */
  readonly text: string
  readonly credential: NewCredential
}

/** Creates a key `sk_sandbox_<namespace>_<secret>` or a token `ct_<namespace>_<secret>`. */
export function issueCredential(kind: CredentialKind, namespace: string): IssuedCredential {
  const text = `${PREFIX[kind]}${namespace}_${randomBytes(SECRET_BYTES).toString('hex')}`
  const credentialId = `${kind}_${randomBytes(ID_BYTES).toString('hex')}`
  return { text, credential: { kind, credentialId, digest: digestOf(text) } }
}

export const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer')
