import { useState } from 'preact/hooks'
import { Icon } from '../parts/basics.tsx'
import { findTheme, keepTheme, type Theme } from './theme.ts'

const following: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }
const words: Record<Theme, string> = { system: 'as the system', light: 'light', dark: 'dark' }
const icons = { system: 'auto', light: 'sun', dark: 'moon' } as const

export const ThemeSwitch = () => {
  const [theme, setTheme] = useState(findTheme)
  const next = following[theme]
  const change = (): void => {
    keepTheme(next)
    setTheme(next)
  }
  return (
    <button
      type="button"
      class="icon-button"
      data-theme-switch
      aria-label={`Colours: ${words[theme]}. Change to ${words[next]}.`}
      title={`Colours: ${words[theme]}`}
      onClick={change}
    >
      <Icon name={icons[theme]} />
    </button>
  )
}
