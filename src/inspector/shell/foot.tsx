import { signal } from '@preact/signals'
import { lastResult } from '../api/page-action.ts'
import { footCommand } from '../ui/foot-command.ts'

const copied = signal<string | undefined>(undefined)

/** Copies the command at the foot. */
export async function copyCommand() {
  const command = footCommand.value?.command
  if (command === undefined) return
  await navigator.clipboard?.writeText(command)
  copied.value = command
}

const MARKS = { good: '✓', waits: '…', bad: '✕' } as const

/** The command of the current control and, apart from it, the last result with its own command. */
export function Foot() {
  const command = footCommand.value?.command
  const result = lastResult.value
  return (
    <footer class={`foot ${command || result ? '' : 'idle'}`}>
      <div class="foot-line">
        <code class="command" data-testid="command">
          {command ? `$ ${command}` : 'Focus a button to see its command. Press ? for keyboard shortcuts.'}
        </code>
        {command && (
          <button type="button" class="button quiet small" onClick={copyCommand}>
            {copied.value === command ? 'Copied' : 'Copy'}
          </button>
        )}
      </div>
      <div class="foot-line result" role="status">
        {result && (
          <>
            <span class={result.tone}>
              {MARKS[result.tone]} {result.text}
            </span>
            {result.command !== command && <code class="command">$ {result.command}</code>}
          </>
        )}
      </div>
    </footer>
  )
}
