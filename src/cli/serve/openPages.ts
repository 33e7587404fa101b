import type { Mount } from '../../api/core/Mount.ts'
import type { PlainRoute } from '../../api/core/PlainRoute.ts'
import { type ExplorerOptions, openExplorer } from './openExplorer.ts'
import { openReference } from './openReference.ts'
import { PageServer } from './pages/PageServer.ts'

/** Every page that people look at. */
export type OpenedPages = {
  /** The explorer, and the reference of the interfaces. */
  readonly routes: readonly PlainRoute[]
  /** What keys are used for, which is shown to an operator. */
  readonly usage: readonly PlainRoute[]
  /** The files that all of them load. */
  readonly assets: PlainRoute
}

export const openPages = (options: ExplorerOptions, mounts: readonly Mount[]): OpenedPages => {
  const pages = new PageServer()
  const { routes, usage } = openExplorer(options, pages)
  return { routes: [...routes, ...openReference(mounts, pages)], usage, assets: pages.assets }
}
