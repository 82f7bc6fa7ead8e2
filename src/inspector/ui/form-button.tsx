import { useState } from 'preact/hooks'
import { ContractForm } from './contract-form.tsx'
import { Dialog } from './dialog.tsx'

type FormProps = Parameters<typeof ContractForm>[0]

interface Props extends Omit<FormProps, 'button' | 'cancel'> {
  /** The title of the dialog, and the word on the button unless `word` has another one. */
  title: string
  word?: string
  /** The word on the button of the form; the title by default. */
  button?: string
  kind?: string
  note?: string
}

/** A button that shows the form of an operation in a dialog. */
export function FormButton({ title, word = title, button = title, kind = 'small', note, then, ...form }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        class={`button ${kind}`}
        aria-label={word === title ? undefined : title}
        onClick={() => setOpen(true)}
      >
        {word}
      </button>
      {isOpen && (
        <Dialog title={title} close={() => setOpen(false)}>
          {note && <p class="note">{note}</p>}
          <ContractForm
            {...form}
            button={button}
            cancel={() => setOpen(false)}
            then={(answer) => {
              setOpen(false)
              then?.(answer)
            }}
          />
        </Dialog>
      )}
    </>
  )
}
