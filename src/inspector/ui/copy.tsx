import { signal } from '@preact/signals'

/** The text that was copied last, or that the browser refused to copy. */
const last = signal<{ text: string; isCopied: boolean } | undefined>(undefined)

export async function copy(text: string) {
  // Only secure contexts have a clipboard. A sandbox that is opened by another machine's name has none.
  const isCopied = navigator.clipboard
    ? await navigator.clipboard.writeText(text).then(
        () => true,
        () => copyByEvent(text),
      )
    : copyByEvent(text)
  last.value = { text, isCopied }
}

/** Copies without a selection, which would take the focus from the control. */
function copyByEvent(text: string): boolean {
  let isCopied = false
  const put = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    isCopied = true
  }
  document.addEventListener('copy', put, { once: true })
  document.execCommand('copy')
  document.removeEventListener('copy', put)
  return isCopied
}

/** Copies a text. */
export function CopyButton({ text, title = 'Copy', kind = '' }: { text: string; title?: string; kind?: string }) {
  const state = last.value?.text === text ? last.value : undefined
  return (
    <button type="button" class={`button small ${kind}`} title={text} onClick={() => copy(text)}>
      {state ? (state.isCopied ? 'Copied' : 'Not copied') : title}
    </button>
  )
}
