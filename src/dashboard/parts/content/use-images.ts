import { notifications } from "@mantine/notifications"
import { useState } from "react"
import { reasonOf } from "../../api/refusal.ts"
import { uploadImage } from "../../api/uploads.ts"
import { useSession } from "../../context/session.ts"

/** The width of the content of most mails, in pixels. */
const mailWidth = 600

/** Uploads images and inserts the HTML of each. */
export function useImages(insert: (html: string) => void) {
  const { project } = useSession()
  const [uploading, setUploading] = useState(0)

  async function add(file: File): Promise<void> {
    setUploading((count) => count + 1)
    try {
      const [{ url }, width] = await Promise.all([uploadImage(project.id, file), widthOf(file)])
      insert(imageHtml(url, file.name, width))
    } catch (cause) {
      notifications.show({ color: "red", title: `${file.name} was not uploaded`, message: reasonOf(cause) })
    } finally {
      setUploading((count) => count - 1)
    }
  }

  return {
    uploading: uploading > 0,
    /** One after another, so that they are inserted in order. */
    async add(files: readonly File[]): Promise<void> {
      for (const file of files) await add(file)
    },
  }
}

/** The natural width of an image; undefined when the browser cannot read it. */
async function widthOf(file: File): Promise<number | undefined> {
  const image = await createImageBitmap(file).catch(() => undefined)
  const width = image?.width
  image?.close()
  return width
}

/** Outlook ignores styles, so the width is an attribute too. */
function imageHtml(url: string, name: string, width: number | undefined): string {
  const shown = width === undefined ? "" : ` width="${Math.min(width, mailWidth)}"`
  return `<img src="${url}" alt="${altOf(name)}"${shown} style="max-width:100%;height:auto">`
}

/** The name of the file without its extension, as text that is neither HTML nor a template. */
const altOf = (name: string): string =>
  name
    .replace(/\.\w{1,5}$/, "")
    .replace(/[{}]/g, "")
    .replace(/&/g, "&amp;")
    .replace(/"/g, "&quot;")
    .replace(/</g, "&lt;")
