/** What is known of a public network without asking. */
export type KnownNetwork = {
  readonly globalId: number
  /** In base64. */
  readonly zeroStateRootHash: string
  /** Where its global configuration is published. */
  readonly globalConfigUrl: string
}

/** The networks that have a name in the settings. */
export const knownNetworks: { readonly [name in 'main' | 'test']: KnownNetwork } = {
  main: {
    globalId: -239,
    zeroStateRootHash: 'F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=',
    globalConfigUrl: 'https://ton.org/global.config.json',
  },
  test: {
    globalId: -3,
    zeroStateRootHash: 'gj+B8wb/AmlPk1z1AhVI484rhrUpgSr2oSFIh56VoSg=',
    globalConfigUrl: 'https://ton.org/testnet-global.config.json',
  },
}
