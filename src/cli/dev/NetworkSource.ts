import type { Mount, MountOptions } from '../../api/core/Mount.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import type { DebuggerOptions } from '../../debug/Debugger.ts'
import type { LiteserverFork } from '../../devnet/liteserver/LiteFunction.ts'
import type { Network } from '../../devnet/network/createNetwork.ts'
import type { NetworkControls } from '../../devnet/network/NetworkControls.ts'
import type { MetricFamily } from '../../observe/Metrics.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import type { LiteServerAddress } from '../../primitives/LiteServerAddress.ts'
import { nameAccounts } from './nameAccounts.ts'

/** Facts of an embedded network that do not change while it runs. */
export type NetworkFacts = {
  readonly liteserver: LiteServerAddress
  readonly zeroState: BlockIdExt
  /** The block where trust starts. */
  readonly anchor: BlockIdExt
  /** Account names by raw address. */
  readonly accounts: Readonly<Record<string, string>>
}

/** An embedded network as the HTTP service uses it. It may run in another process. */
export type NetworkSource = NetworkFacts & {
  /** Only in the process of the network. */
  readonly fork: LiteserverFork | undefined
  readonly findPosition: DebuggerOptions['findPosition']
  /** The development controls. `onSent` is called with each external message they send. */
  mountControls(options: Pick<MountOptions, 'token' | 'allowedHosts'>, onSent: (message: Cell) => void): Mount
  watch(watcher: ChainEvents): void
  /** Metrics of the process of the network, if that is another one. */
  readonly readNetworkMetrics?: (() => Promise<readonly MetricFamily[]>) | undefined
}

export type ChainEvents = { appended(seqno: number): void; reverted(): void }

export const factsOf = async (
  network: Network,
  { host, port, publicKey }: LiteServerAddress,
  hasDemo: boolean,
): Promise<NetworkFacts> => ({
  liteserver: { host: reachable(host), port, publicKey },
  zeroState: network.store.zeroState,
  anchor: network.initBlock,
  accounts: await nameAccounts(network, hasDemo),
})

/** Controls that announce every external message they sent. */
export const announceSent = (controls: NetworkControls, onSent: (message: Cell) => void): NetworkControls => ({
  ...controls,
  async faucet(address, amount) {
    const sent = await controls.faucet(address, amount)
    if (sent.message !== undefined) onSent(sent.message)
    return sent
  },
  async send(message) {
    const sent = await controls.send(message)
    onSent(message)
    return sent
  },
})

/** A wildcard listen address cannot be called; use loopback. */
const reachable = (host: string): string => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host)
