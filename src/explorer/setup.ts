import type { ExplorerSetup } from './ExplorerSetup.ts'

const text = document.querySelector<HTMLMetaElement>('meta[name="setup"]')?.content ?? '{}'

/** The settings in the page. */
export const setup = JSON.parse(text) as ExplorerSetup
