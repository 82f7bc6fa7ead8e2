import { occupantOf } from '../../../client/port-occupant.ts'
import { type Fault, misconfigured } from '../../process/exit.ts'
import { wholeNumber } from '../../process/parser-of.ts'

export const portOf = wholeNumber(0, 65_535, 'It must be a port from 0 to 65535.')

/** Names the holder of a busy port where it can be found. */
export async function portFault(port: number): Promise<Fault> {
  const { sentence, holder, isSandbox } = await occupantOf(port)
  const hint = isSandbox
    ? `Use that one, stop it, or start a second with --port 0 and another --data folder or --memory.`
    : 'Stop it, or start with --port 0, which takes a free one.'
  return misconfigured(sentence, hint, { port, holder: holder ?? null, sandbox: isSandbox })
}
