import type { Dialect } from '../../api/core/Interface.ts'
import type { PlainRoute } from '../../api/core/PlainRoute.ts'
import type { ExplorerSetup } from '../../explorer/ExplorerSetup.ts'
import { readVersion } from '../readVersion.ts'
import type { PageServer } from './pages/PageServer.ts'

export type ExplorerOptions = {
  /** Whether the indexed interface is served beside. */
  readonly hasIndex: boolean
  /** Whether the network is an embedded one, whose controls are served beside. */
  readonly hasControls: boolean
  /** What the network is called: main, test, embedded. */
  readonly network: string
  readonly dialect: Dialect
}

const paths = [
  '/',
  '/account/*',
  '/tx/*',
  '/trace/*',
  '/block/*',
  '/blocks',
  '/faucet',
  '/send',
] as const satisfies readonly PlainRoute['path'][]

/** The explorer, and apart from it the page that shows an operator what keys are used for. */
export const openExplorer = (
  { hasIndex, hasControls, network, dialect }: ExplorerOptions,
  pages: PageServer,
): { readonly routes: PlainRoute[]; readonly usage: PlainRoute[] } => {
  const setup: ExplorerSetup = {
    hasIndex,
    hasControls,
    network,
    unit: dialect === 'ton' ? 'TON' : 'GRAM',
    version: readVersion(),
  }
  const page = { entry: 'explorer', title: 'chaincenter', setup } as const
  return { routes: pages.routes(page, paths), usage: pages.routes(page, ['/usage']) }
}
