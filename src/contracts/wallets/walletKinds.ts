// A table of constants: the codes of wallets and of the contracts that the node's client library knows.
import type { WalletKind } from './WalletKind.ts'

const plainWallets: readonly WalletKind[] = [
  {
    codeHash: 'oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how=',
    layout: 'seqnoKey',
    walletType: 'wallet v1 r1',
    interfaceName: 'wallet_v1r1',
  },
  {
    codeHash: '1JAvzJ+tdGmPqONTIgpo2g3PcuMryy657gQhfBfTBiw=',
    layout: 'seqnoKey',
    walletType: 'wallet v1 r2',
    interfaceName: 'wallet_v1r2',
  },
  {
    codeHash: 'WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8=',
    layout: 'seqnoKey',
    walletType: 'wallet v1 r3',
    interfaceName: 'wallet_v1r3',
  },
  {
    codeHash: 'XJpeaMEI4YchoHxC+ZVr+zmtd+xtYktgxXbsiO7mUyk=',
    layout: 'seqnoKey',
    walletType: 'wallet v2 r1',
    interfaceName: 'wallet_v2r1',
  },
  {
    codeHash: '/pUw0yQ4Uwg+8u8LTCkIwKv2+hwx6iQ6rKpb+MfXU/E=',
    layout: 'seqnoKey',
    walletType: 'wallet v2 r2',
    interfaceName: 'wallet_v2r2',
  },
  {
    codeHash: 'thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=',
    layout: 'seqnoIdKey',
    walletType: 'wallet v3 r1',
    interfaceName: 'wallet_v3r1',
    accountState: { type: 'wallet.v3.accountState', revision: 1 },
  },
  {
    codeHash: 'hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=',
    layout: 'seqnoIdKey',
    walletType: 'wallet v3 r2',
    interfaceName: 'wallet_v3r2',
    accountState: { type: 'wallet.v3.accountState', revision: 2 },
  },
  {
    codeHash: 'ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=',
    layout: 'seqnoIdKey',
    walletType: 'wallet v4 r1',
    interfaceName: 'wallet_v4r1',
  },
  {
    codeHash: '/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=',
    layout: 'seqnoIdKey',
    walletType: 'wallet v4 r2',
    interfaceName: 'wallet_v4r2',
    accountState: { type: 'wallet.v4.accountState', revision: 2 },
  },
  {
    codeHash: '89fKU0k97trCizgZhqhJQDy6w9LFhHea8IEGWvCsS5M=',
    layout: 'v5Beta',
    walletType: 'wallet v5 beta',
    interfaceName: 'wallet_v5_beta',
  },
  {
    codeHash: 'IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=',
    layout: 'v5',
    walletType: 'wallet v5 r1',
    interfaceName: 'wallet_v5r1',
  },
]

const otherWallets: readonly WalletKind[] = [
  {
    codeHash: '5M87L0xtamHqDytUR9JmeFsmrzY32y3u5rzRqoJvNBI=',
    layout: 'v5Beta',
    interfaceName: 'wallet_v5_beta',
  },
  {
    codeHash: '2M27t58sXKpnesRQdwvgNRviHhJQSG3oXMUqoz3RZIQ=',
    layout: 'seqnoIdKey',
    interfaceName: 'wallet_highload_v1r1',
    accountState: { type: 'wallet.highload.v1.accountState', revision: 1 },
  },
  {
    codeHash: 'NowDly5fTCRBK4GGUt4d4qJjDRwBFgmZnf90X7NoSa0=',
    layout: 'seqnoIdKey',
    accountState: { type: 'wallet.highload.v1.accountState', revision: 2 },
  },
  {
    codeHash: 'Dc7tISadZgE+lbGfu1xVpvAa2tQIN7qo5SHN46AqpGw=',
    layout: 'seqnoIdKey',
    interfaceName: 'wallet_highload_v1r2',
  },
  {
    codeHash: 'jOtFs81LXMYOquHBO5wJI5Jnf+U2sumy2AG2Lv+TH+E=',
    layout: 'idTimeKey',
    interfaceName: 'wallet_highload_v2r1',
    accountState: { type: 'wallet.highload.v2.accountState', revision: 1 },
  },
  {
    codeHash: 'CzqIeurNKn1Au1VQvJJTFWoCkGWu+21rWDc11Y2p1b4=',
    layout: 'idTimeKey',
    accountState: { type: 'wallet.highload.v2.accountState', revision: 2 },
  },
  {
    codeHash: 'ID3U81ittJmTEpqpJcrDmRa2ig5PeNJujywraer6Vnk=',
    layout: 'idTimeKey',
    interfaceName: 'wallet_highload_v2r2',
  },
  {
    codeHash: 'lJTRzI7fEvBWcaGpugmSEJbrUIEeGSTsZcPGKfu4CBI=',
    layout: 'idTimeKey',
    interfaceName: 'wallet_highload_v2',
  },
  {
    codeHash: 'EayteVWEQJDyg78ji8FEmHH3g+fMCXlAjT9IWUg+hSU=',
    layout: 'keyId',
    interfaceName: 'wallet_highload_v3r1',
  },
  {
    codeHash: 'Reu86bXSNYhstr/hw62TtwjeBYJEiSNlye4N/kOct7U=',
    layout: 'keySeqno16',
    interfaceName: 'wallet_preprocessed_v2',
  },
  {
    codeHash: 'tItTGr7DtxRjgpH3137W3J9qJynvyiBHcTc3TUrotZA=',
    layout: 'seqnoIdKey',
    interfaceName: 'wallet_vesting',
  },
  {
    codeHash: 'jTUEm5Rs8ztYUQu0VgyEGpRfd4HW3p/GnKP0MPbjInM=',
    layout: 'seqnoIdKey',
    accountState: { type: 'rwallet.accountState', revision: 1 },
  },
  {
    codeHash: 'oNZ9LeiRn+e3yndlLM1P3FbGid56aRYeRfsNzF5HwVU=',
    layout: 'idTimeKey',
    accountState: { type: 'dns.accountState', revision: 1 },
  },
  {
    // The reference payment channel has no code of its own: clients compile its source, here with FunC 0.4.6.
    codeHash: 'Da+y0ZPcWqW+4h62BwUQypR10vDW62Ks+b8Ckjznjgs=',
    layout: 'none',
    accountState: { type: 'pchan.accountState', revision: -1 },
  },
]

/** Every code that is known by its hash, each once. */
export const walletKinds: readonly WalletKind[] = [...plainWallets, ...otherWallets]
