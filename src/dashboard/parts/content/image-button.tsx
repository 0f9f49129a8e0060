import { Button } from "@mantine/core"
import { IconPhotoPlus } from "@tabler/icons-react"
import { useRef } from "react"
import styles from "./content-editor.module.css"

const types = "image/jpeg,image/png,image/gif,image/webp"

interface ImageButtonProps {
  uploading: boolean
  onFiles(files: readonly File[]): void
}

/** Chooses images to insert into the body. */
export function ImageButton({ uploading, onFiles }: ImageButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={styles.tools}>
      <input
        ref={input}
        type="file"
        accept={types}
        multiple
        hidden
        aria-label="Images"
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ""
        }}
      />
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconPhotoPlus size={15} stroke={1.7} />}
        loading={uploading}
        onClick={() => input.current?.click()}
      >
        Insert image
      </Button>
      <span className={styles.hint}>or paste or drop one into the body</span>
    </div>
  )
}
