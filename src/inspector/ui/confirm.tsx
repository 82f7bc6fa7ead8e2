import { signal } from '@preact/signals'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type PageAction, pageAction, tryPerform } from '../api/page-action.ts'
import { machineNow } from '../api/time.ts'
import { Dialog } from './dialog.tsx'
import { TrimmedField } from './fields.tsx'
import { Refused } from './parts.tsx'

export interface Confirmation {
  /** The question: `Reset default?` */
  title: string
  /** What will be lost. */
  lost: string
  /** The word on the button; the title's first word by default. */
  verb?: string
  /** The namespace of which a snapshot may be taken first. */
  snapshotOf?: string
}

interface Pending {
  confirmation: Confirmation
  command: string
  answer: (isConfirmed: boolean) => void
}

const pending = signal<Pending | undefined>(undefined)

/** Asks the user before something is lost. */
export const confirmed = (confirmation: Confirmation, command: string): Promise<boolean> =>
  new Promise((resolve) => {
    pending.value = {
      confirmation,
      command,
      answer: (isConfirmed) => {
        pending.value = undefined
        resolve(isConfirmed)
      },
    }
  })

/** Shows the question that waits for an answer. */
export const ConfirmDialog = () => (pending.value ? <Question of={pending.value} /> : null)

function Question({ of: { confirmation, command, answer } }: { of: Pending }) {
  const { title, lost, verb = title.split(' ')[0]!, snapshotOf } = confirmation
  const [name, setName] = useState(() => `before-${verb.toLowerCase()}-${machineNow().toString(36)}`)
  const [error, setError] = useState<string>()
  const cancel = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => cancel.current?.focus(), [])
  const save: PageAction = { ...pageAction('snapshots', 'save', { name }), ...(snapshotOf ? { as: snapshotOf } : {}) }
  const saveFirst = () =>
    tryPerform(save, () => `Saved as ${name}.`).then((refusal) => (refusal ? setError(refusal) : answer(true)))
  return (
    <Dialog title={title} close={() => answer(false)} class="confirm">
      <p>{lost}</p>
      <code class="command-line">$ {command}</code>
      {snapshotOf !== undefined && (
        <TrimmedField label="Name of the snapshot to save first" value={name} set={setName} />
      )}
      {error && <Refused>{error}</Refused>}
      <p class="choices end wrap">
        <button type="button" class="button" ref={cancel} onClick={() => answer(false)}>
          Cancel
        </button>
        {snapshotOf !== undefined && (
          <button type="button" class="button main" onClick={saveFirst}>
            Save snapshot, then {verb.toLowerCase()}
          </button>
        )}
        <button type="button" class="button danger" onClick={() => answer(true)}>
          {verb}
          {snapshotOf === undefined ? '' : ' without snapshot'}
        </button>
      </p>
    </Dialog>
  )
}
