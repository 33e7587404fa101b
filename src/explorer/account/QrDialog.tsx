import { useLayoutEffect, useRef } from 'preact/hooks'
import { encodeQr, toSvgPath } from '../model/qr.ts'
import { CopyButton, Icon } from '../parts/basics.tsx'

/** Modules of white around the code, which scanners need. */
const QUIET = 4

/** An address as a QR code, dark on white in either theme. */
export const QrDialog = ({ address, onClose }: { readonly address: string; onClose(): void }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  const modules = encodeQr(address)
  const size = modules.length + 2 * QUIET
  return (
    <dialog class="dialog qr-dialog" ref={dialog} aria-label="QR code" onClose={onClose}>
      <header class="card-head">
        <h2>QR code</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
          <Icon name="cross" />
        </button>
      </header>
      <svg class="qr" viewBox={`${-QUIET} ${-QUIET} ${size} ${size}`} role="img" aria-label={`QR code of ${address}`}>
        <rect x={-QUIET} y={-QUIET} width={size} height={size} fill="#fff" />
        <path d={toSvgPath(modules)} fill="#000" shape-rendering="crispEdges" />
      </svg>
      <p class="qr-address mono">
        {address} <CopyButton text={address} what="address" />
      </p>
    </dialog>
  )
}
