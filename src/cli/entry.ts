import { answerAtOnce } from './at-once.ts'
import { EXIT } from './process/exit.ts'
import { handleOutputErrors } from './process/output-errors.ts'

/** Runs the command line of this process. */
export async function runProcess(argv: readonly string[]): Promise<void> {
  if (answerAtOnce(argv)) return
  if (argv[0] === '--licenses') return showLicenses()
  const [{ run }, { endNow, endWith, processIo }] = await Promise.all([
    import('./run.ts'),
    import('./process/process-io.ts'),
  ])
  const io = processIo()
  const code = await run(argv, io)
  if (code === EXIT.interrupted) endNow()
  endWith(code, io)
}

async function showLicenses() {
  const { packaged } = await import('../world/file/packaged.ts')
  handleOutputErrors()
  process.stdout.write(
    (await packaged('THIRD_PARTY_LICENSES.txt')) ?? 'The licences are part of the built package only.\n',
  )
}
