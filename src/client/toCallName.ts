/** The endpoint `jetton/wallets` is called by `jettonWallets`. */
export const toCallName = (endpoint: string): string =>
  endpoint.replace(/\/(.)/g, (_slash, letter: string) => letter.toUpperCase())
