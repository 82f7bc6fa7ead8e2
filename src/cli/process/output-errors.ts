import { EXIT } from './exit.ts'

/** Handles errors of standard output. A reader that leaves early, such as `| head`, is not a failure. */
export function handleOutputErrors(onLeft = () => {}) {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') onLeft()
    else failWrite(error)
  })
}

/** Ends with a failure: the answer was lost, for example because the disk is full. */
function failWrite({ message }: Error) {
  const failure = { error: 'usage', message: `stdout cannot be written: ${message}.`, exit_code: EXIT.usage }
  process.stderr.write(`${JSON.stringify(failure)}\n`)
  process.exit(EXIT.usage)
}
