import { computed, effect, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { namespace } from '../api/namespace.ts'

/** The titles of what is shown, the last one on top: a closed message returns the title to the list beside it. */
const titles = signal<readonly { text: string }[]>([])

/** The title of the shown page, which a live region announces. */
export const pageTitle = computed(() => titles.value.at(-1)?.text ?? '')

/** Adds a title while its component is shown. */
export function useTitle(text: string) {
  useEffect(() => {
    const own = { text }
    titles.value = [...titles.value, own]
    return () => {
      titles.value = titles.value.filter((one) => one !== own)
    }
  }, [text])
}

/** Names the tab, so that tabs and history entries differ. */
export function nameTab() {
  effect(() => {
    if (pageTitle.value) document.title = `${pageTitle.value} · ${namespace.value} · Messaging sandbox`
  })
}
