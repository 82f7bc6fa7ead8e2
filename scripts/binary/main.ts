import { runProcess } from '../../src/cli/entry.ts'

// In a binary of its own the first two of the arguments are the binary, as they are Node and the script elsewhere.
runProcess(process.argv.slice(2)).catch((error: unknown) => {
  const said = error instanceof Error ? error.stack : String(error)
  process.stderr.write(`sandbox: a bug at start. Please report it with these lines.\n${said}\n`)
  process.exitCode = 1
})
