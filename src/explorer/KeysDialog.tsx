import { useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from './parts/Icon.tsx'
import { keyHelp } from './useKeys.ts'

export const KeysDialog = ({ onClose }: { onClose(): void }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog class="dialog" ref={dialog} aria-label="Keys" onClose={onClose}>
      <header class="card-head">
        <h2>Keys</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
          <Icon name="cross" />
        </button>
      </header>
      <dl class="keys">
        {keyHelp.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  )
}
