import type { ExplorerSetup } from './ExplorerSetup.ts'

const text = document.querySelector<HTMLMetaElement>('meta[name="setup"]')?.content ?? '{}'

/** What the server told this page when it was loaded. */
export const setup = JSON.parse(text) as ExplorerSetup
