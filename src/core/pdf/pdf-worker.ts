import { parentPort } from 'node:worker_threads'
import { drawPdf, type PdfDocument } from './tagged-pdf.ts'

/** The worker's answer: the file, or why there is none. */
export type PdfAnswer = { file: Uint8Array<ArrayBuffer> } | { failed: unknown }

// Runs in a separate thread, which `render-pdf.ts` starts.
parentPort?.on('message', async (document: PdfDocument) => {
  try {
    const file = new Uint8Array(await drawPdf(document))
    parentPort?.postMessage({ file } satisfies PdfAnswer, [file.buffer])
  } catch (failed) {
    parentPort?.postMessage({ failed } satisfies PdfAnswer)
  }
})
