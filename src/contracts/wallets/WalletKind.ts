/** How a wallet begins its data; read by `findWalletFacts`. `none` is for contracts that keep nothing of that. */
export type WalletLayout = 'seqnoKey' | 'seqnoIdKey' | 'idTimeKey' | 'v5' | 'v5Beta' | 'keyId' | 'keySeqno16' | 'none'

/** How `getExtendedAddressInformation` tells of contracts that the node's client library knows. */
export type AccountStateName = {
  readonly type:
    | 'wallet.v3.accountState'
    | 'wallet.v4.accountState'
    | 'wallet.highload.v1.accountState'
    | 'wallet.highload.v2.accountState'
    | 'dns.accountState'
    | 'rwallet.accountState'
    | 'pchan.accountState'
  readonly revision: number
}

/** Code that is known by its hash. Each name is what one interface calls it, absent where that interface does not know it. */
export type WalletKind = {
  /** Hash of the code cell, in base64. */
  readonly codeHash: string
  readonly layout: WalletLayout
  /** The name of an ordinary wallet of one person: these count as wallets, and their addresses are shown non-bounceable. */
  readonly walletType?: string
  /** The name in the list of interfaces of the indexed API. */
  readonly interfaceName?: string
  readonly accountState?: AccountStateName
}
