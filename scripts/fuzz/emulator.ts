/** Runs the fuzzed emulator in a process of its own, and reports its address and every bug that it notices itself. */
import { createSandbox } from '../../src/index.ts'

const sandbox = await createSandbox({
  checkAnswers: true,
  onFault: (error, doing) =>
    process.send!({ fault: `${doing}: ${error instanceof Error ? error.stack : String(error)}` }),
})
process.send!({ url: sandbox.url })
process.once('disconnect', () => void sandbox.stop().then(() => process.exit()))
