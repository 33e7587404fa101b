import type { Mount } from '../../api/core/Mount.ts'
import type { PlainRoute } from '../../api/core/PlainRoute.ts'
import { type ExplorerOptions, openExplorer } from './openExplorer.ts'
import { openReference } from './openReference.ts'
import { PageServer } from './pages/PageServer.ts'

/** Every page that people look at: the explorer, and the reference of the interfaces. */
export const openPages = (options: ExplorerOptions, mounts: readonly Mount[]): PlainRoute[] => {
  const pages = new PageServer()
  return [...openExplorer(options, pages), ...openReference(mounts, pages)]
}
