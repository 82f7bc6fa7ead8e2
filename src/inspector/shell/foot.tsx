import { lastAction } from '../api/page-action.ts'
import { CopyButton, copy } from '../ui/copy.tsx'
import { footCommand } from '../ui/foot-command.ts'

/** The command at the foot, of the control that was used or pointed at last. */
const currentCommand = () => footCommand.value?.command ?? lastAction.value?.command

export async function copyCommand() {
  const command = currentCommand()
  if (command !== undefined) await copy(command)
}

const MARKS = { good: '✓', waits: '…', bad: '✕' } as const
const RUNNING = { tone: 'waits', text: 'Running' } as const

/** The command of the current control and, apart from it, the last action with its result. */
export function Foot() {
  const { command, because } = footCommand.value ?? {}
  const action = lastAction.value
  const { tone, text } = action?.outcome ?? RUNNING
  return (
    <footer class={`foot ${command || action ? '' : 'idle'}`}>
      <div class="foot-line">
        {command && <span class="foot-label">This button</span>}
        {because && <span class="outcome bad">✕ {because}</span>}
        <code class="command cut" data-testid="command">
          {command ? `$ ${command}` : 'Focus a button to see its command. Press ? for keyboard shortcuts.'}
        </code>
        {command && <CopyButton text={command} kind="quiet" />}
      </div>
      <div class="foot-line result" role="status">
        {action && (
          <>
            <span class="foot-label">Last action</span>
            <span class={`outcome cut ${tone}`} title={text}>
              {MARKS[tone]} {text}
            </span>
            <code class="command cut">$ {action.command}</code>
            <CopyButton text={action.command} kind="quiet" />
          </>
        )}
      </div>
    </footer>
  )
}
