import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { namespace } from '../api/namespace.ts'

/** The title of the shown page, which a live region announces. */
export const pageTitle = signal('')

/** Names the tab, so that tabs and history entries differ. */
export function useTitle(title: string) {
  const shown = namespace.value
  useEffect(() => {
    pageTitle.value = title
    document.title = `${title} · ${shown} · Messaging sandbox`
  }, [title, shown])
}
