import { useEffect, useState } from 'preact/hooks'
import { Icon } from './Icon.tsx'

const SHOWN_MS = 1200

export const CopyButton = ({ text, what }: { readonly text: string; readonly what: string }) => {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      copyTheOldWay(text)
    }
    setCopied(true)
  }
  return (
    <button
      type="button"
      class={`copy ${isCopied ? 'is-copied' : ''}`}
      aria-label={isCopied ? 'Copied' : `Copy ${what}`}
      title={isCopied ? 'Copied' : `Copy ${what}`}
      onClick={() => void copy()}
    >
      <Icon name={isCopied ? 'check' : 'copy'} size={13} />
    </button>
  )
}

/** Pages that come by plain HTTP from another machine may not use the clipboard directly. */
const copyTheOldWay = (text: string): void => {
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
