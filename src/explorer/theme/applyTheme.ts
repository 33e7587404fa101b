import { findTheme, showTheme } from './theme.ts'

// Runs before anything is drawn, so that nobody sees the wrong colours first.
showTheme(findTheme())
