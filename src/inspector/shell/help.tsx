import { Dialog } from '../ui/dialog.tsx'
import { PAGES } from './pages.tsx'
import { openDialog, SHORTCUTS, showDialog } from './shortcuts.ts'

/** The keyboard shortcuts. */
export function Help() {
  if (openDialog.value !== 'help') return null
  const close = () => showDialog(undefined)
  return (
    <Dialog title="Keyboard shortcuts" close={close}>
      <dl class="shortcuts">
        {[...SHORTCUTS, ...PAGES.map(({ key, title }) => [`g ${key}`, title] as const)].map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="note">
        Commands begin with <code>sandbox</code>. Where that is not installed as a command, write{' '}
        <code>npx messaging-sandbox</code> instead.
      </p>
      <p class="choices end">
        <button type="button" class="button" onClick={close}>
          Close
        </button>
      </p>
    </Dialog>
  )
}
