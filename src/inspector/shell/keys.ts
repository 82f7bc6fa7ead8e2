import { useEffect } from 'preact/hooks'
import { go } from '../api/place.ts'
import { NAVIGATION } from './pages.tsx'

/** `/` focuses the search, `g` with a letter opens a page; ignored while typing. */
export function useKeys() {
  useEffect(() => {
    let isGoing = false
    const pressed = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return
      if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('input[type=search]')
        if (search) event.preventDefault()
        search?.focus()
      }
      const page = isGoing && NAVIGATION.flatMap(({ pages }) => pages).find(({ key }) => key === event.key)
      if (page) go({ page: page.name })
      isGoing = event.key === 'g'
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
}
