import { effect, signal } from '@preact/signals'

const THEMES = ['system', 'light', 'dark'] as const
type Theme = (typeof THEMES)[number]

const KEY = 'theme'
const kept = globalThis.localStorage?.getItem(KEY)

export const theme = signal<Theme>(THEMES.find((one) => one === kept) ?? 'system')

export function nextTheme() {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!
}

export function applyTheme() {
  effect(() => {
    localStorage.setItem(KEY, theme.value)
    document.documentElement.dataset.theme = theme.value
  })
}
