import { Button, FileButton } from '@mantine/core'
import { useRef, useState } from 'react'
import { uploadWithProgress } from '#ui/data/upload.ts'
import { useAction } from '#ui/data/useAction.ts'
import { toastError, toastSuccess } from '#ui/feedback/toast.tsx'
import type { FieldBinding } from '#ui/form/field-binding.ts'
import arrange from '#ui/layout/arrange.module.css'
import text from '#ui/theme/text.module.css'
import { agencyContract, logoTooLargeMessage, maxLogoBytes } from '../contract.ts'
import { AgencyHead } from './AgencyHead.tsx'
import { getAgencyLook } from './agency-look.ts'

/** The logo, which is stored as soon as it is uploaded or removed, and how clients see it with the name and color of the form. */
export function LogoInput({ at }: { at: FieldBinding<string> }) {
  const [isSending, setSending] = useState(false)
  const removal = useAction(agencyContract.removeLogo)
  const uploading = useRef<HTMLButtonElement>(null)
  async function remove() {
    if (!(await removal.run()).done) return
    at.set(null)
    uploading.current?.focus()
  }
  async function upload(file: File | null) {
    if (!file) return
    setSending(true)
    try {
      if (file.size > maxLogoBytes) throw new Error(logoTooLargeMessage)
      const { signal } = new AbortController()
      const { logo } = await uploadWithProgress(agencyContract.uploadLogo, file, { tell: () => {}, signal })
      at.set(logo)
      toastSuccess('Logo was uploaded successfully')
    } catch (problem) {
      toastError(problem)
    } finally {
      setSending(false)
    }
  }
  const agency = {
    name: String(at.other('name') || 'Your agency'),
    color: readColor(at.other('color')),
    logo: at.value ? getLogoSource(at.value) : null,
  }
  return (
    <fieldset>
      <legend>Logo</legend>
      <div className={arrange.stackWide}>
        <div className={arrange.buttons}>
          <FileButton accept="image/png,image/jpeg,image/webp,image/svg+xml" onChange={(file) => void upload(file)}>
            {(props) => (
              <Button {...props} ref={uploading} variant="default" loading={isSending}>
                Upload a logo (PNG or SVG)
              </Button>
            )}
          </FileButton>
          {at.value && (
            <Button variant="default" loading={removal.running} onClick={() => void remove()}>
              Remove
            </Button>
          )}
        </div>
        {at.error && <p className={text.bad}>{at.error}</p>}
        <div className={arrange.stackWide} {...getAgencyLook(agency)}>
          {['Email', 'Report', 'Statement'].map((title) => (
            <div key={title} className={arrange.stack}>
              <p className={text.caption}>{title}</p>
              <AgencyHead agency={agency} />
              {title === 'Email' && <Button tabIndex={-1}>Open the report</Button>}
            </div>
          ))}
        </div>
      </div>
    </fieldset>
  )
}

/** A page shows no images of other hosts: a saved logo at such an address comes through the server. */
const getLogoSource = (logo: string) =>
  logo.startsWith('data:') ? logo : `/api/agency/logo?v=${encodeURIComponent(logo)}`

const readColor = (value: unknown) => (typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value : '#2a5bd7')
