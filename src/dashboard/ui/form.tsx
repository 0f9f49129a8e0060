import type { ComponentProps } from "react"
import styles from "./form.module.css"

interface FormProps extends Omit<ComponentProps<"form">, "onSubmit"> {
  onSubmit(): void
}

/** A form that the dashboard sends itself. Its faults are shown beside the fields, not by the browser. */
export function Form({ onSubmit, className = styles.form, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      className={className}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    />
  )
}
