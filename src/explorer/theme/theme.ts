/** What was chosen; `system` follows the machine. */
export type Theme = 'system' | 'light' | 'dark'

const KEY = 'chaincenter.theme'

export const findTheme = (): Theme => {
  try {
    const kept = localStorage.getItem(KEY)
    return kept === 'light' || kept === 'dark' ? kept : 'system'
  } catch {
    // Where nothing may be kept, the machine decides.
    return 'system'
  }
}

export const showTheme = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export const keepTheme = (theme: Theme): void => {
  showTheme(theme)
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // It then lasts for this visit.
  }
}
