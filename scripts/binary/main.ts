import { runProcess } from '../../src/cli/entry.ts'

// Both of the first two arguments are the binary, in the places of Node and the script.
runProcess(process.argv.slice(2)).catch((error: unknown) => {
  const text = error instanceof Error ? error.stack : String(error)
  process.stderr.write(`sandbox: a bug at start. Please report it with these lines.\n${text}\n`)
  process.exitCode = 1
})
