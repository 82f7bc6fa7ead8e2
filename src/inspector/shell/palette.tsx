import { useState } from 'preact/hooks'
import { pageOfRecord } from '../../words/inspector-page.ts'
import { call } from '../api/client.ts'
import { namespace } from '../api/namespace.ts'
import { type PageAction, tryPerform } from '../api/page-action.ts'
import { go } from '../api/place.ts'
import { useCall, useRead } from '../api/read.ts'
import { operationsFor } from '../console/page.tsx'
import { refusedRecipients, requestsTo } from '../requests/refused.tsx'
import { advance, advanceToNext, setMode } from '../time/actions.ts'
import { Dialog } from '../ui/dialog.tsx'
import { PAGES, pageOf } from './pages.tsx'
import { openDialog, showDialog } from './shortcuts.ts'
import { nextTheme } from './theme.ts'

interface Entry {
  group: string
  title: string
  run: () => void
}

const act = (title: string, action: PageAction): Entry => ({
  group: 'Action',
  title,
  run: () => void tryPerform(action, () => `${title}: done.`),
})

/** The page of an id, a phone number or an address. */
function recordsFor(text: string): Entry[] {
  const page = pageOfRecord(text)
  return page ? [{ group: 'Open', title: `${text} in ${pageOf(page)!.title}`, run: () => go({ page, id: text }) }] : []
}

const searchFor = (text: string): Entry[] => [
  { group: 'Search', title: `Messages that contain “${text}”`, run: () => go({ page: 'messages', query: { text } }) },
]

/** True if each typed word begins a word of the entry. */
const beginsWith = (words: readonly string[], { group, title }: Entry): boolean => {
  const own = `${group} ${title}`.toLowerCase().split(/[\s(]+/)
  return words.every((word) => own.some((one) => one.startsWith(word)))
}

const ENTRIES: readonly Entry[] = [
  ...PAGES.map(({ name, title }) => ({ group: 'Page', title, run: () => go({ page: name }) })),
  act('Advance the clock to the next scheduled work', advanceToNext()),
  act('Advance the clock by 1 minute', advance('1m')),
  act('Advance the clock by 1 hour', advance('1h')),
  act('Advance the clock by 24 hours', advance('24h')),
  act('Freeze the clock', setMode('frozen')),
  act('Run the clock in real time', setMode('real')),
  { group: 'Action', title: 'Switch between light and dark', run: nextTheme },
  { group: 'Help', title: 'Keyboard shortcuts', run: () => showDialog('help') },
]

/** Finds pages, records, namespaces, actions and operations by a few letters. */
export const Palette = () => (openDialog.value === 'palette' ? <OpenPalette /> : null)

function OpenPalette() {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const namespaces = useCall(['namespaces', 'list'], { when: () => false })
  const part = text.trim().length < 3 ? '' : text.trim()
  const recipients = useRead(
    `recipients ${part}`,
    async () => (part ? (await call('inbox', 'recipients', { text: part, limit: 5 })).recipients : []),
    { when: () => false },
  )
  const refused = useRead(`refused ${part}`, async () => (part ? await refusedRecipients(part) : []), {
    when: () => false,
  })
  const close = () => showDialog(undefined)
  const worlds = (namespaces.value?.namespaces ?? [])
    .filter(({ name }) => name !== namespace.value)
    .map(({ name }) => ({ group: 'Namespace', title: name, run: () => go({ namespace: name, page: 'messages' }) }))
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const matching = [...ENTRIES, ...worlds].filter(({ group, title }) =>
    words.every((word) => `${group} ${title}`.toLowerCase().includes(word)),
  )
  const addresses = (recipients.value ?? [])
    .filter(({ address }) => address !== text.trim())
    .flatMap(({ address }) => recordsFor(address))
  const refusals = (refused.value ?? []).map((to) => ({
    group: 'Search',
    title: `Refused sends to ${to}`,
    run: () => go(requestsTo(to)),
  }))
  const forms = (part ? operationsFor(part) : []).map(({ id, summary }) => ({
    group: 'API',
    title: `${summary} (${id})`,
    run: () => go({ page: 'api', id }),
  }))
  const record = recordsFor(text.trim())
  const others = [...matching, ...addresses, ...refusals.slice(0, 5), ...forms]
  const ranked = [true, false].flatMap((isFirst) => others.filter((entry) => beginsWith(words, entry) === isFirst))
  // An id or an address is no text to search for.
  const search = record.length > 0 || text.trim().length < 2 ? [] : searchFor(text.trim())
  const found = [...record, ...ranked.slice(0, 40), ...search]
  const chosen = Math.min(at, found.length - 1)
  const run = (entry: Entry | undefined) => {
    if (!entry) return
    close()
    entry.run()
  }
  return (
    <Dialog title="Command palette" close={close} class="palette" hidesTitle>
      <input
        // biome-ignore lint/a11y/noRedundantRoles: a text field has no such role.
        role="combobox"
        list={undefined}
        aria-label="Search pages, records and actions"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found.length > 0 ? `palette-${chosen}` : undefined}
        placeholder="Page, action, namespace, id, phone number or text"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
          if (step !== undefined) {
            event.preventDefault()
            setAt((chosen + step + found.length) % Math.max(1, found.length))
          }
          if (event.key === 'Enter') run(found[chosen])
        }}
      />
      <div id="palette-list" role="listbox" aria-label="Results">
        {found.map((entry, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: the combobox keeps the focus.
          <div
            key={`${entry.group} ${entry.title}`}
            id={`palette-${i}`}
            role="option"
            aria-selected={i === chosen}
            ref={(row) => {
              if (i === chosen) row?.scrollIntoView({ block: 'nearest' })
            }}
            onClick={() => run(entry)}
          >
            <span class="quiet">{entry.group}</span> {entry.title}
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="empty">Nothing matches.</p>}
    </Dialog>
  )
}
