import { CodedError } from '../../primitives/errors.ts'

/** The code of a well-known wallet is not in the package that should carry it. */
export class WalletCodeError extends CodedError {
  readonly code = 'wallet_code_missing'
}

/** A wallet was asked for something that wallets of its kind cannot do. */
export class WalletOrderError extends CodedError {
  readonly code = 'wallet_order_invalid'
}
