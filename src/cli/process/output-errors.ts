import { EXIT } from './exit.ts'

/**
 * Handles errors of standard output. A reader that leaves early, such as `| head`, is not a failure. After a call of the
 * returned function, output that cannot be written is dropped.
 */
export function handleOutputErrors(onLeft = () => {}): () => void {
  let onFailed = failWrite
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') onLeft()
    else onFailed(error)
  })
  return () => {
    let hasWarned = false
    onFailed = ({ message }) => {
      if (!hasWarned)
        report({ warning: 'output_lost', message: `${unwritten(message)} The sandbox goes on without it.` })
      hasWarned = true
    }
  }
}

const unwritten = (message: string) => `stdout cannot be written: ${message}.`

const report = (line: object) => void process.stderr.write(`${JSON.stringify(line)}\n`)

/** Ends with a failure: the answer was lost, for example because the disk is full. */
function failWrite({ message }: Error) {
  report({ error: 'usage', message: unwritten(message), exit_code: EXIT.usage })
  process.exit(EXIT.usage)
}
