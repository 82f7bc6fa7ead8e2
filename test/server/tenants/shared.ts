import { onTestFinished } from 'vitest'
import { type EmulatorOptions, startEmulator } from '../../../src/server/emulator.ts'
import { loadWorldFile } from '../../../src/server/world-source.ts'
import { ask, type RawAnswer } from '../../http.ts'

export const ADMIN = 'ct_the-admin-token-of-this-test'

/** Credentials of a caller; what is missing is not sent. */
export interface Credentials {
  key?: string | undefined
  token?: string | undefined
}

interface Issued {
  namespace: string
  api_key: string
  control_token: string
  token_id: string
  expires_at: string | null
}

/** A shared sandbox on a frozen clock, with calls by holders of credentials. It ends with the test by default. */
export async function shared(
  options: Partial<EmulatorOptions> = {},
  atEnd: (end: () => Promise<void>) => void = onTestFinished,
) {
  const faults: unknown[] = []
  const emulator = await startEmulator({
    world: await loadWorldFile('default'),
    port: 0,
    shared: true,
    controlToken: ADMIN,
    clock: { mode: 'frozen' },
    checkAnswers: true,
    onFault: (error) => void faults.push(error),
    ...options,
  })
  atEnd(async () => {
    await emulator.stop()
    if (faults.length > 0) throw new AggregateError(faults, `the sandbox had bugs: ${faults.map(String).join('; ')}`)
  })
  const as =
    ({ key, token }: Credentials) =>
    (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<RawAnswer> =>
      ask({ url: emulator.url, apiKey: '' }, method, path, {
        body,
        headers: {
          Authorization: key === undefined ? undefined : `Bearer ${key}`,
          'X-Sandbox-Token': token,
          ...headers,
        },
      })
  const admin = as({ token: ADMIN })
  const create = async (name: string, body: object = {}) => {
    const { status, json } = await admin('POST', `/_sandbox/namespaces/${name}`, body)
    if (status !== 201) throw new Error(`namespace ${name}: ${status} ${JSON.stringify(json)}`)
    const issued = json as unknown as Issued
    const credentials = { key: issued.api_key, token: issued.control_token }
    return { ...issued, credentials, ask: as(credentials) }
  }
  return { ...emulator, as, admin, create }
}
